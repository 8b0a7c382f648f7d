/** Why and where a parser failed, in the shape of unified's messages. */
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

/** Parsing the page would take minutes. */
export class TooCostly extends SyntaxProblem {}

export function isSyntaxProblem(error: unknown): error is Pick<SyntaxProblem, 'reason' | 'line' | 'column'> {
  return error instanceof Error && 'reason' in error && 'line' in error && 'column' in error;
}
