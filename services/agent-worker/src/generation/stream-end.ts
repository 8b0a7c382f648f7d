const TAIL_BYTES = 64;
const end = /(?:^|[\r\n])data: ?\[DONE\]\s*$/;

/**
 * Detects the `[DONE]` at the end of a stream, which the SDK does not expose. It tells an answer without a finish reason
 * from one that broke off. Text cannot imitate it, because JSON holds no raw line breaks.
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
