/** Ends every line with a line feed: a Markdown parser ends one at a lone carriage return, too. `\r\n` stays as it is. */
export class LineBreaks {
  /** A carriage return whose next character has not come. */
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
