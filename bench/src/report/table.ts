import { aligned } from '@quire/testkit/aligned';
import type { Bar, JudgedFigure } from './figure.js';

const HEADINGS = ['what', 'measured', 'baseline', 'ratio', 'bar', 'samples', ''];

export function figureTable(figures: readonly JudgedFigure[]): string {
  return aligned([HEADINGS, ...figures.map(cellsOf)]);
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

/** Three significant digits: repeated measurements differ in the others. */
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
