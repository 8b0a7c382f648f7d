const endsInHalfAPair = /[\uD800-\uDBFF]$/;

/**
 * Keeps a streamed text storable: NUL is dropped, half a surrogate pair becomes U+FFFD, and a pair that was cut in
 * two is held back until it is whole. Otherwise Redis, Postgres and the reader would each hold another text.
 */
export class StorablePieces {
  private held = '';

  push(piece: string): string {
    const text = this.held + piece;
    this.held = endsInHalfAPair.test(text) ? text.slice(-1) : '';
    return clean(this.held ? text.slice(0, -1) : text);
  }

  end(): string {
    return clean(this.held);
  }
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
