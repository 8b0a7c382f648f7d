/** Why and where a parser gave up; the messages of the unified family have the same shape. */
export class SyntaxProblem extends Error {
  constructor(
    readonly reason: string,
    readonly line: number,
    readonly column: number,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}

/** The page would take minutes: more of it makes nothing better. */
export class TooCostly extends SyntaxProblem {}

export function isSyntaxProblem(error: unknown): error is Pick<SyntaxProblem, 'reason' | 'line' | 'column'> {
  return error instanceof Error && 'reason' in error && 'line' in error && 'column' in error;
}
