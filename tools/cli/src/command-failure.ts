export const exitCodes = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Ends a command with a sentence instead of a stack trace. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
  ) {
    super(message);
    this.name = 'CommandFailure';
  }
}
