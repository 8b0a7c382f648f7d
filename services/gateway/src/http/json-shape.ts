/** Deeper than any contract, and far from what recursion over it could not take. */
const MAX_DEPTH = 32;

/**
 * What is wrong with parsed JSON, whatever it is for. A field named `__proto__` is an ordinary one when it comes out
 * of the parser, but becomes the prototype of whatever it is copied to by assignment; nobody has a good use for it.
 */
export function problemOfJson(value: unknown, levels = MAX_DEPTH): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `must not be nested deeper than ${MAX_DEPTH} levels`;
  if (Object.hasOwn(value, '__proto__')) return 'must not have a field named __proto__';
  for (const item of Object.values(value)) {
    const problem = problemOfJson(item, levels - 1);
    if (problem) return problem;
  }
  return undefined;
}
