import { wordTokens } from '../text/tokens.js';
import { type ChatRequest, messageTexts } from './chat-request.js';

const NOTHING_FOUND = 'The material given does not answer this question.';
const READ_CHARACTERS = 1_000;
const MAX_WORDS = 40;
/** Markers count at the start of a line alone: `cite like [1]` in an instruction is no passage. */
const MARKER = /^[ \t]*\[(\d+)\]/gm;

interface NumberedPassage {
  number: number;
  text: string;
}

/** Two or three sentences quoted from the first two passages, each with its citation. */
export function groundedAnswer(request: ChatRequest): string {
  const passages = findNumberedPassages(messageTexts(request)).slice(0, 2);
  const quotes = passages.map(citedSentences);
  const firstOfEach = quotes.flatMap(([sentence]) => sentence ?? []);
  const secondOfFirst = quotes[0]?.slice(1, 2) ?? [];
  return [...firstOfEach, ...secondOfFirst].join(' ') || quotedQuestion(request) || NOTHING_FOUND;
}

/** A prompt with a question and no passages asks to rewrite the question: it is returned unchanged. */
function quotedQuestion(request: ChatRequest): string | undefined {
  return /<question\b[^>]*>\n([^]*?)\n<\/question/.exec(messageTexts(request).at(-1) ?? '')?.[1];
}

/** The text's tokens, repeated or cut to this count. */
export function tokensOfLength(text: string, count: number): string[] {
  const tokens = wordTokens(`${text} `);
  return Array.from({ length: count }, (_, index) => tokens[index % tokens.length] ?? '');
}

function citedSentences({ number, text }: NumberedPassage): string[] {
  const flat = text
    .slice(0, READ_CHARACTERS)
    .replaceAll(/\[\d+\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const sentences = flat.split(/(?<=[.!?])\s+/).slice(0, 2);
  return sentences.filter((sentence) => sentence !== '').map((sentence) => cite(sentence, number));
}

function cite(sentence: string, number: number): string {
  const words = sentence
    .replace(/[\s.!?:;,]+$/, '')
    .split(' ')
    .slice(0, MAX_WORDS);
  return `${words.join(' ')} [${number}].`;
}

/** Passages such as `[1] …` in the last text that has any; each runs to the next marker, empty line or closing tag. */
function findNumberedPassages(texts: readonly string[]): NumberedPassage[] {
  for (const text of texts.toReversed()) {
    const passages = passagesIn(text);
    if (passages.length > 0) return passages;
  }
  return [];
}

function passagesIn(text: string): NumberedPassage[] {
  const markers = [...text.matchAll(MARKER)];
  const passages = new Map<number, string>();
  for (const [position, marker] of markers.entries()) {
    const number = Number(marker[1]);
    const body = text.slice(marker.index + marker[0].length, markers[position + 1]?.index);
    const [paragraph = ''] = body.trim().split(/\n\s*(?:\n|<\/)/, 1);
    if (paragraph !== '' && !passages.has(number)) passages.set(number, paragraph);
  }
  return [...passages].map(([number, passage]) => ({ number, text: passage }));
}
