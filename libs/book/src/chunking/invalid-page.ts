import { InvalidInput } from '@quire/shared/errors';

export interface Place {
  line: number;
  column: number;
}

/** The page cannot be read; the author learns where and why. */
export function invalidPage(reason: string, place?: Place, cause?: unknown): InvalidInput {
  const where = place === undefined ? '' : ` (line ${place.line}:${place.column})`;
  return new InvalidInput('INVALID_REQUEST', `${reason}${where}`, { cause });
}
