import { expect, it } from 'vitest';
import { wordsOf } from './delta-words.js';

it.each<[delta: object, text: string, thought: string]>([
  [{ content: 'So' }, 'So', ''],
  [{ content: null }, '', ''],
  [{}, '', ''],
  [
    {
      content: [
        { type: 'text', text: 'So' },
        { type: 'text', text: ' on' },
      ],
    },
    'So on',
    '',
  ],
  [{ content: ['So', { type: 'output_text', text: '.' }] }, 'So.', ''],
  [{ content: [{ type: 'image_url', image_url: {} }, null, 7] }, '', expect.any(String) as string],
  [{ content: [{ type: 'text', text: { value: 'x' } }] }, '', ''],
  [{ content: { text: 'x' } }, '', ''],
  [{ content: null, reasoning_content: 'I wonder' }, '', 'I wonder'],
  [{ content: '', reasoning: 'I wonder' }, '', 'I wonder'],
  [{ content: 'So', reasoning_content: '' }, 'So', ''],
  [
    {
      content: [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: 'So' },
      ],
    },
    'So',
    expect.stringContaining('Hm') as string,
  ],
])('wordsOf(%j) returns the text %j and the reasoning %j', (delta, text, thought) => {
  expect(wordsOf(delta)).toEqual({ text, thought });
});
