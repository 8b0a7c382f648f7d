import { InvalidInput } from '@quire/shared/errors';

export interface Position {
  line: number;
  column: number;
}

/** The error of a page that cannot be parsed, with the reason and the line. */
export function invalidPage(reason: string, position?: Position, cause?: unknown): InvalidInput {
  const where = position === undefined ? '' : ` (line ${position.line}:${position.column})`;
  return new InvalidInput('INVALID_REQUEST', `${reason}${where}`, { cause });
}
