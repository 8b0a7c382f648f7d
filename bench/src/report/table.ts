import type { Bar, JudgedFigure } from './figure.js';

const HEADINGS = ['what', 'measured', 'baseline', 'ratio', 'bar', 'samples', ''];

export function figureTable(figures: readonly JudgedFigure[]): string {
  const rows = [HEADINGS, ...figures.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${lineOf(row)}\n`).join('');
}

function cellsOf({ what, unit, measured, baseline, ratio, bar, samples, verdict }: JudgedFigure): string[] {
  return [
    what,
    amount(measured, unit),
    baseline === undefined ? '–' : amount(baseline, unit),
    ratio === undefined ? '–' : ratio.toFixed(2),
    bar ? barText(bar, unit) : '–',
    String(samples),
    verdict === 'told' ? '' : verdict,
  ];
}

/** Three digits say enough; more would claim a precision that repeats do not have. */
function amount(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

function barText(bar: Bar, unit: string): string {
  const [sign, limit] = 'atMost' in bar ? ['≤', bar.atMost] : ['≥', bar.atLeast];
  return {
    ratio: `${sign} ${limit} ×`,
    difference: `${sign} ${limit} ${unit} more`,
    value: `${sign} ${limit} ${unit}`,
  }[bar.of];
}
