import { expect, it } from 'vitest';
import { bookSource, response } from '../../test/run-story.js';
import { plainText } from '../plain-text.js';
import { textStyle } from '../text-style.js';
import { answerText, footerText, summaryText } from './answer-text.js';

const plain = textStyle(false, {});

it('an answer is followed by its sources, each with its headings and its address on lines of their own', () => {
  const second = bookSource({ marker: 12, title: 'QoS', section: '', source_url: 'https://x.example/qos' });
  const answered = response({ sources: [bookSource(), second] });
  expect(answerText(answered)).toBe('Nodes exchange messages on topics [1].');
  expect(footerText(answered, plain)).toBe(
    '\n[1] Nodes and Topics › The computation graph › Topics\n' +
      '    https://physical-ai.example/docs/ros2/nodes#graph\n' +
      '[12] QoS\n' +
      '     https://x.example/qos\n',
  );
});

it('an answer with low confidence or without citations has a remark for each', () => {
  const weak = response(
    { sources: [], confidence_level: 'low' },
    { mode: 'low_confidence', low_confidence: true, uncited: true },
  );
  expect(footerText(weak, plain)).toBe(
    '\nLow confidence: the book may not hold the answer.\nThe answer cites no passage of the book.\n',
  );
});

it('a refusal is shown without sources and remarks', () => {
  const refused = response({ answer: 'The book does not say.', sources: [] }, { mode: 'no_results' });
  expect(answerText(refused)).toBe('The book does not say.');
  expect(footerText(refused, plain)).toBe('');
});

it('an answer that could not be generated is replaced by the passages and their beginnings', () => {
  const found = response(
    { answer: null, fallback_message: 'AI summarization unavailable' },
    { mode: 'retrieval_only', model: null },
  );
  expect(answerText(found)).toBe(
    'No answer could be generated: AI summarization unavailable. These passages were found.',
  );
  expect(footerText(found, plain)).toMatch(/\n {4}https:.*\n {4}Nodes discover one another…\n$/);
});

it('a source from a selection names the characters it covers', () => {
  const source = {
    source_type: 'selected_text',
    marker: 1,
    selection_length: 90,
    snippet: 'a span',
    char_start: 10,
    char_end: 16,
  } as const;
  expect(footerText(response({ sources: [source] }, { mode: 'selected_text' }), plain)).toBe(
    '\n[1] Selected text, characters 10–16\n    a span\n',
  );
});

it('control characters are removed from every part of a response', () => {
  const bad = '\u001B[2Jx\u009B1m\u0007';
  const hostile = response(
    {
      answer: `a${bad}`,
      sources: [bookSource({ title: bad, section: bad, source_url: bad, snippet: bad })],
    },
    { model: bad, degraded_reason: bad },
  );
  const shown = [answerText(hostile), footerText(hostile, plain), summaryText(hostile)].join('');
  expect(shown).toBe(plainText(shown));
});

it('the summary shows confidence, mode, model, tokens and time', () => {
  expect(summaryText(response())).toBe('high confidence · full · scripted · 1,234 tokens · 3.2 s');
});

it('the summary names the reason of a degraded response', () => {
  const degraded = response({}, { model: null, degraded_reason: 'embedding_unavailable' });
  expect(summaryText(degraded)).toMatch(/no model .* embedding_unavailable$/);
});

it('colours are used on a live terminal alone, and not with NO_COLOR', () => {
  const footer = (isLive: boolean, env: Record<string, string>) =>
    footerText(response(), textStyle(isLive, env));
  expect(footer(true, {})).toContain('\u001B[2m');
  expect(footer(true, { NO_COLOR: '' })).toContain('\u001B[2m');
  expect(footer(true, { NO_COLOR: '1' })).not.toContain('\u001B');
  expect(footer(false, {})).not.toContain('\u001B');
});
