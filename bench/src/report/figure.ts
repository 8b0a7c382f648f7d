export type Bar =
  | { atMost: number; of: 'ratio' | 'difference' | 'value' }
  | { atLeast: number; of: 'ratio' | 'difference' | 'value' };

/** One line of the report. A figure without a bar is reported without a verdict. */
export interface Figure {
  what: string;
  unit: string;
  measured: number;
  baseline?: number;
  bar?: Bar;
  /** How often each side was measured. */
  samples: number;
}

export type Verdict = 'ok' | 'missed' | 'told';

export interface JudgedFigure extends Figure {
  ratio: number | undefined;
  verdict: Verdict;
}

export function judge(figure: Figure): JudgedFigure {
  const { measured, baseline, bar } = figure;
  const ratio = baseline === undefined ? undefined : measured / baseline;
  if (!bar) return { ...figure, ratio, verdict: 'told' };
  const value = {
    ratio: ratio ?? Number.NaN,
    difference: measured - (baseline ?? Number.NaN),
    value: measured,
  }[bar.of];
  return { ...figure, ratio, verdict: isWithin(bar, value) ? 'ok' : 'missed' };
}

/** NaN is within no bar: a benchmark without measurements misses it. */
function isWithin(bar: Bar, value: number): boolean {
  return 'atMost' in bar ? value <= bar.atMost : value >= bar.atLeast;
}
