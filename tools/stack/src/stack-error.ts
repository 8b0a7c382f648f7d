/** A failure the user can act on: what happened, and what to do about it. */
export class StackError extends Error {
  override readonly name = 'StackError';
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}
