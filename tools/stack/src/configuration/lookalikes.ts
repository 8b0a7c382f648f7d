export interface Lookalike {
  name: string;
  meant: string;
}

const LONG_NAME = 8;

/** Names that are not known, each with the known one that it differs from by one or two letters. */
export function lookalikes(names: readonly string[], known: readonly string[]): Lookalike[] {
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const allowed = name.length < LONG_NAME ? 1 : 2;
      const [nearest] = known
        .map((meant) => ({ meant, letters: editDistance(name.toUpperCase(), meant) }))
        .filter(({ letters }) => letters <= allowed)
        .sort((a, b) => a.letters - b.letters);
      return nearest ? [{ name, meant: nearest.meant }] : [];
    });
}

/** Letters to insert, remove or replace, or neighbours to swap (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? at(row - 2, column - 2) + 1
          : Infinity;
      current.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
