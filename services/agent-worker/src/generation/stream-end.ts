const TAIL_BYTES = 64;
const end = /(?:^|[\r\n])data: ?\[DONE\]\s*$/;

/**
 * Sees whether a stream says itself that it is over, by `[DONE]`, which the SDK keeps to itself: that tells an answer
 * without a finish reason from one that broke off. JSON holds no line breaks, so that no text can look like it.
 */
export class StreamEnd {
  private tail = Buffer.alloc(0);

  get isReached(): boolean {
    return end.test(this.tail.toString('latin1'));
  }

  watch({ body, headers }: Response): Response {
    if (!body) return new Response(null, { headers });
    return new Response(ReadableStream.from(this.noted(body)), { headers });
  }

  private async *noted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of body) {
      const last = bytes.subarray(-TAIL_BYTES);
      this.tail = Buffer.concat([this.tail, last]).subarray(-TAIL_BYTES);
      yield bytes;
    }
  }
}
