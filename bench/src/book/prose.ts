import type { Random } from '@quire/testkit/random';
import { ADJECTIVES, NOUNS, OCCASIONS, VERBS } from './vocabulary.js';

const thing = (random: Random) => `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;
const occasion = (random: Random) => random.pick(OCCASIONS).replaceAll('-', ' ');
const upperCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

type Sentence = (random: Random) => string;

const SENTENCES: readonly [Sentence, ...Sentence[]] = [
  (r) => `The ${thing(r)} ${r.pick(VERBS)} the ${thing(r)} ${occasion(r)}.`,
  (r) =>
    `Where a ${thing(r)} ${r.pick(VERBS)} the ${r.pick(NOUNS)}, its ${thing(r)} ${r.pick(VERBS)} the rest.`,
  (r) =>
    `A ${r.pick(NOUNS)} with ${2 + r.integer(90)} ${r.pick(ADJECTIVES)} parts needs a ${thing(r)} ${occasion(r)}.`,
  (r) =>
    `${upperCase(occasion(r))}, the ${thing(r)} ${r.pick(VERBS)} whatever the ${r.pick(NOUNS)} leaves over.`,
  (r) =>
    `Set the ${r.pick(NOUNS)} to ${1 + r.integer(400)} before the ${thing(r)} ${r.pick(VERBS)} its ${r.pick(NOUNS)}.`,
];

export const heading = (random: Random): string => `${upperCase(thing(random))} and ${random.pick(NOUNS)}`;

export function paragraph(random: Random, sentences: number): string {
  return Array.from({ length: sentences }, () => random.pick(SENTENCES)(random)).join(' ');
}

export function list(random: Random): string {
  return Array.from(
    { length: 3 },
    () => `- **${thing(random)}**: it ${random.pick(VERBS)} the ${random.pick(NOUNS)}`,
  ).join('\n');
}

export function codeBlock(random: Random): string {
  const [owner, part] = [random.pick(NOUNS), random.pick(NOUNS)];
  const call = `${owner}.${random.pick(VERBS)}(${part}, ${random.integer(1000)});`;
  return ['```ts', `const ${part} = await open('${owner}/${part}');`, call, '```'].join('\n');
}

/** A question in words of the book, so that it finds passages; the number makes it unique. */
export function question(random: Random, number: number): string {
  return `What ${random.pick(VERBS)} the ${thing(random)} ${occasion(random)} when the ${thing(random)} is number ${number}?`;
}
