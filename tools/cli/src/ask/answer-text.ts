import type { ChatResponse } from '@quire/shared/contracts';
import { counted } from '../counted.js';
import { plainLine, plainText } from '../plain-text.js';
import type { TextStyle } from '../text-style.js';
import { sourcesText } from './sources-text.js';

/** The answer, or a sentence why there is none. */
export function answerText({ answer, fallback_message, sources }: ChatResponse): string {
  if (answer !== null) return plainText(answer).trimEnd();
  const why = fallback_message === undefined ? '' : `: ${plainLine(fallback_message)}`;
  const instead = sources.length > 0 ? ' These passages were found.' : '';
  return `No answer could be generated${why}.${instead}`;
}

/** The text below an answer: remarks, then the sources. A refusal has neither. */
export function footerText(response: ChatResponse, style: TextStyle): string {
  const { answer, metadata, sources } = response;
  if (metadata.mode === 'no_results') return '';
  const remarks = [
    ...(metadata.low_confidence ? ['Low confidence: the book may not hold the answer.'] : []),
    ...(metadata.uncited ? ['The answer cites no passage of the book.'] : []),
  ].map((remark) => `${remark}\n`);
  const parts = [remarks.join(''), sourcesText(sources, style, { snippets: answer === null })];
  return parts
    .filter((part) => part !== '')
    .map((part) => `\n${part}`)
    .join('');
}

/** Confidence, mode, model, tokens and time on one line. */
export function summaryText({ confidence_level, metadata }: ChatResponse): string {
  const { mode, model, tokens_used, timings_ms, degraded_reason } = metadata;
  const parts = [
    `${confidence_level} confidence`,
    mode,
    model ?? 'no model',
    counted(tokens_used.total, 'token'),
    `${(timings_ms.total / 1000).toFixed(1)} s`,
    ...(degraded_reason === undefined ? [] : [degraded_reason]),
  ];
  return plainLine(parts.join(' · '));
}
