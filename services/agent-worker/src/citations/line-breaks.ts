/** Replaces a lone carriage return, which ends a line in Markdown, by a line feed. `\r\n` stays as it is. */
export class LineBreaks {
  /** A carriage return at the end of the last piece. */
  private held = '';

  push(text: string): string {
    const whole = this.held + text;
    this.held = whole.endsWith('\r') ? '\r' : '';
    return whole.slice(0, whole.length - this.held.length).replaceAll(/\r(?!\n)/g, '\n');
  }

  end(): string {
    return this.held === '' ? '' : '\n';
  }
}
