import { z } from 'zod';

/** The words in a chunk of a stream: text of the answer and reasoning. */
export interface DeltaWords {
  text: string;
  thought: string;
}

const part = z.union([
  z.string().transform((text) => ({ type: 'text', text })),
  z.looseObject({ type: z.string() }),
]);
const parts = z.array(part.catch({ type: 'unknown' }));
const textTypes = new Set(['text', 'output_text']);
const thoughtFields = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking', 'thought'];

/** Servers differ: content is a string or a list of parts, and reasoning has its own fields or parts. */
export function wordsOf(delta: object): DeltaWords {
  const fields: Record<string, unknown> = { ...delta };
  const { content } = fields;
  const thought = thoughtFields.map((field) => wordsIn(fields[field])).join('');
  if (typeof content === 'string') return { text: content, thought };
  const read = parts.safeParse(content);
  if (!read.success) return { text: '', thought };
  const ofText = read.data.filter(({ type }) => textTypes.has(type));
  const others = read.data.filter(({ type }) => !textTypes.has(type));
  const text = ofText
    .map((each) => ('text' in each && typeof each.text === 'string' ? each.text : ''))
    .join('');
  return { text, thought: thought + others.map(wordsIn).join('') };
}

/** The text of a value that is only counted, never shown. */
function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}
