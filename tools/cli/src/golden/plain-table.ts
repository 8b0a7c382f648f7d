import Table from 'cli-table3';

/** A text or count, a figure, or a figure that could not be computed. */
export type Cell = string | number | null;

/** Has no colours, so that it can be piped; the first column is text, the others are figures. */
export function plainTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column === 0 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => row.map(shown)));
  return `${table.toString()}\n`;
}

function shown(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return cell === null ? '–' : cell.toFixed(3);
}
