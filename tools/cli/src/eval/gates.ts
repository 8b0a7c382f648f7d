import { InvalidArgumentError } from 'commander';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { figureNames } from './eval-figures.js';

/** A figure and its least value. */
export interface Gate {
  figure: string;
  atLeast: number;
}

/** A mean of shares such as 0.8 may be one binary digit too low. */
const ROUNDING = 1e-9;

/** Reads one `--fail-under` and adds it to those before it. */
export function addGate(text: string, gates: readonly Gate[] = []): Gate[] {
  const [, figure, value] = /^([^=]+)=(\d+(?:\.\d+)?|\.\d+)$/.exec(text) ?? [];
  const atLeast = Number(value);
  if (figure === undefined || !(atLeast <= 1))
    throw new InvalidArgumentError('It must look like hybrid.ndcg@10=0.8, with a value from 0 to 1.');
  return [...gates, { figure, atLeast }];
}

/** Refuses a misspelt figure before any search. */
export function checkGates(gates: readonly Gate[], topK: number): void {
  const known = figureNames(topK);
  const unknown = gates.filter(({ figure }) => !known.includes(figure)).map(({ figure }) => figure);
  if (unknown.length === 0) return;
  throw new CommandFailure(
    `There is no figure ${unknown.join(', ')}. Known figures:\n  ${known.join('\n  ')}`,
    exitCodes.usage,
  );
}

/** A sentence for each gate that is missed; a figure without questions misses its gate. */
export function missedGates(gates: readonly Gate[], figures: ReadonlyMap<string, number | null>): string[] {
  return gates.flatMap(({ figure, atLeast }) => {
    const value = figures.get(figure) ?? null;
    if (value === null) return [`${figure} should be at least ${atLeast}, but no question counts in it.`];
    // Rounded down, so that a figure just below its gate does not look as if it reached it.
    const rounded = Math.floor(value * 10_000) / 10_000;
    return value + ROUNDING < atLeast ? [`${figure} is ${rounded}, below ${atLeast}.`] : [];
  });
}
