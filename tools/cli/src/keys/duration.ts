import { InvalidArgumentError } from 'commander';

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const LONGEST_MS = 100 * 365 * units.d;

/** Milliseconds from `90d`, `12h`, `30m` or `45s`. */
export function duration(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * units[unit as keyof typeof units];
  if (ms <= LONGEST_MS) return ms;
  throw new InvalidArgumentError('It must be a time like 90d, 12h, 30m or 45s.');
}
