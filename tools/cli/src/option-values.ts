import { InvalidArgumentError } from 'commander';

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const LONGEST_MS = 100 * 365 * units.d;

export const isWebAddress = (text: string) => URL.canParse(text) && /^https?:/i.test(text);

export function webAddress(text: string): string {
  if (isWebAddress(text)) return text;
  throw new InvalidArgumentError('It must be an http:// or https:// URL.');
}

export function numberFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Milliseconds from `90d`, `12h`, `30m` or `45s`. */
export function duration(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * units[unit as keyof typeof units];
  if (ms <= LONGEST_MS) return ms;
  throw new InvalidArgumentError('It must be a time like 90d, 12h, 30m or 45s.');
}
