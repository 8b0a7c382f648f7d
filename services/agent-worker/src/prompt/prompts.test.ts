import { describe, expect, it } from 'vitest';
import { chunkNumbered } from '../../test/found-passages.js';
import { spansOf } from '../citations/selection-spans.js';
import { NumberedPassages } from '../search/numbered-passages.js';
import { answerPrompt, type AnswerPromptParts } from './answer-prompt.js';
import { NOT_FOUND_SIGN } from './common-rules.js';
import { rewritePrompt } from '../follow-up/rewrite-question.js';
import { selectionPrompt } from './selection-prompt.js';

const history = [{ question: 'What is a node?', answer: 'A process [1][2].' }];
const fenceKey = 'abc123';
const parts: AnswerPromptParts = {
  question: 'How do they talk?',
  history,
  found: [chunkNumbered(1), chunkNumbered(2)],
  lowConfidence: false,
  fenceKey,
  tokenBudget: 4000,
};
const built = (changes: Partial<AnswerPromptParts> = {}) => {
  const passages = new NumberedPassages();
  const { messages, tokensLeft } = answerPrompt({ ...parts, ...changes }, passages);
  const [system = '', user = ''] = messages.map(({ content }) => content);
  return { system, user, passages, tokensLeft };
};

describe('answerPrompt', () => {
  it('the prompt for an answer numbers the passages and quotes passages, conversation and question', () => {
    const { system, user, passages } = built();
    expect(user).toBe(`<passage key="abc123">
[1] Page 1 > Topics
Text of passage 1 about nodes and topics.
</passage key="abc123">

<passage key="abc123">
[2] Page 2 > Topics
Text of passage 2 about nodes and topics.
</passage key="abc123">

<conversation key="abc123">
Reader: What is a node?
Answer: A process.
</conversation key="abc123">

<question key="abc123">
How do they talk?
</question key="abc123">`);
    expect(passages.chunks).toHaveLength(2);
    expect(system).toContain(NOT_FOUND_SIGN);
    expect(system).toContain(fenceKey);
    expect(system).not.toContain('only in part');
  });

  it('the prompt for an answer asks for a disclaimer if confidence is low', () => {
    expect(built({ lowConfidence: true }).system).toContain('only in part');
  });

  it('the prompt for an answer quotes the rewritten question after the original one', () => {
    const { user } = built({ standalone: 'How do ROS nodes talk?' });
    expect(user).toContain('How do they talk?');
    expect(user).toContain('In other words:\n<question key="abc123">\nHow do ROS nodes talk?');
  });

  it('the prompt for an answer stays within its token budget and returns the rest of it', () => {
    const found = Array.from({ length: 10 }, (_, i) => ({
      ...chunkNumbered(i + 1),
      text: 'word '.repeat(240),
    }));
    const long = Array.from({ length: 5 }, () => ({ question: 'q '.repeat(400), answer: 'a '.repeat(400) }));
    const { system, user, tokensLeft, passages } = built({ found, history: long });
    expect((system.length + user.length) / 4 + tokensLeft).toBeCloseTo(4000, -2);
    expect(tokensLeft).toBeGreaterThan(500);
    expect(passages.chunks).toHaveLength(5);
    expect(user.match(/Reader:/g)).toHaveLength(2);
  });
});

it('the prompt for a selection numbers its spans and names no tool', () => {
  const spans = spansOf('A node is a process. It publishes on topics.');
  const prompt = selectionPrompt({ question: 'How?', history: [], spans, fenceKey, tokenBudget: 4000 });
  const [system = '', user = ''] = prompt.map(({ content }) => content);
  expect(user).toContain('[1] A node is a process.\n[2] It publishes on topics.');
  expect(system).not.toContain('search_book_content');
  expect(user).not.toContain('<conversation');
});

it('the prompt for a rewrite quotes conversation and question without old citations', () => {
  const [system = '', user = ''] = rewritePrompt(history, 'And then?', fenceKey).map(
    ({ content }) => content,
  );
  expect(system).toContain('in the same language');
  expect(user).toContain('Reader: What is a node?\nAnswer: A process.');
  expect(user).toContain('<question key="abc123">\nAnd then?\n</question key="abc123">');
});
