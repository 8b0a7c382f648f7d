import { createHash } from 'node:crypto';

/** Questions that differ only in white space or Unicode composition are equal; case may carry meaning. */
export function normaliseQuestion(question: string): string {
  return question.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
}

export function questionKey(normalised: string): string {
  return createHash('sha256').update(normalised).digest('hex');
}
