import { expect, it } from 'vitest';
import { refusalText } from './gateway-failure.js';

it.each([
  [
    'the words, the code and the request',
    { code: 'INTERNAL', message: 'Something went wrong on our side', requestId: 'r-1' },
    'Something went wrong on our side.\nINTERNAL, request r-1',
  ],
  [
    'when to try again',
    { code: 'RATE_LIMITED', message: 'Too many requests.', retryAfterSeconds: 12 },
    'Too many requests. Try again in 12 s.\nRATE_LIMITED',
  ],
  [
    'details that the words do not hold',
    {
      code: 'INVALID_REQUEST',
      message: 'top_k is too big',
      details: [
        { path: 'top_k', problem: 'is too big' },
        { path: 'session_id', problem: 'is no UUID' },
      ],
    },
    'top_k is too big.\n  session_id: is no UUID\nINVALID_REQUEST',
  ],
  [
    'what to do without a key',
    { code: 'UNAUTHORIZED', message: 'The key is not known' },
    'The key is not known. Set QUIRE_API_KEY to a valid key.\nUNAUTHORIZED',
  ],
  [
    'nothing that a terminal would obey',
    { code: 'X\u001B[2J', message: 'a\u001B[2J\nb', requestId: '\u0007' },
    'a[2J b.\nX[2J, request ',
  ],
])('the text of a refusal holds %s', (_, refusal, text) => {
  expect(refusalText(refusal)).toBe(text);
});
