/** A list of names too long for quotes and commas. */
export function namesIn(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
