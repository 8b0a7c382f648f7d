import { InvalidArgumentError } from 'commander';

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
