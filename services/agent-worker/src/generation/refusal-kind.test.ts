import { describe, expect, it } from 'vitest';
import type { ModelFailureKind } from './chat-model.js';
import { refusalKind, type ProviderError } from './refusal-kind.js';

const MODEL = 'gemini-3.8-flash';
type Reported = Partial<ProviderError>;
const kindOf = (reported: Reported) =>
  refusalKind({ status: 400, words: [], param: undefined, message: '', ...reported }, MODEL);

const WRONG_KEY = 'API key not valid. Please pass a valid API key.';
const UNKNOWN = `The model \`${MODEL}\` does not exist or you do not have access to it.`;

describe('refusalKind', () => {
  it.each<[kind: ModelFailureKind, title: string, reported: Reported]>([
    ['rejected', 'with status 400 alone', {}],
    ['rejected', 'with status 413', { status: 413 }],
    ['rejected', 'with status 422', { status: 422 }],
    [
      'rejected',
      'of a context that is too long',
      { words: ['context_length_exceeded', 'invalid_request_error'] },
    ],
    [
      'rejected',
      'of a context that is too long, which a proxy sends as 500',
      { status: 500, words: ['context_length_exceeded'] },
    ],
    ['rejected', 'of a prompt by a filter', { words: ['content_filter'], param: 'prompt' }],
    [
      'rejected',
      'of a prompt by a moderation, with status 403',
      { status: 403, words: ['403', 'flagged_input'] },
    ],
    [
      'rejected',
      'of a single request above the token limit for a minute',
      {
        status: 429,
        words: ['tokens', 'rate_limit_exceeded'],
        message:
          'Request too large for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000.',
      },
    ],
    [
      'rate_limited',
      'because of the token limit for this minute',
      { status: 429, words: ['tokens', 'rate_limit_exceeded'], message: 'Rate limit reached for gpt-5' },
    ],
    ['misconfigured', 'of an account without credit', { status: 429, words: ['insufficient_quota'] }],
    ['misconfigured', 'with status 401', { status: 401 }],
    ['misconfigured', 'with status 402', { status: 402 }],
    ['misconfigured', 'with status 403', { status: 403 }],
    ['misconfigured', 'with status 404', { status: 404 }],
    [
      'misconfigured',
      'of the key by Gemini',
      { words: ['400', 'invalid_argument', 'api_key_invalid'], message: WRONG_KEY },
    ],
    [
      'misconfigured',
      'of the key by Gemini, without details',
      { words: ['400', 'invalid_argument'], message: WRONG_KEY },
    ],
    [
      'misconfigured',
      'of the key by xAI',
      { words: ['client specified an invalid argument'], message: 'Incorrect API key provided: ab***.' },
    ],
    ['misconfigured', 'of the region by Gemini', { words: ['400', 'failed_precondition'] }],
    ['misconfigured', 'of the model by its code', { words: ['invalid_model', '1500'] }],
    ['misconfigured', 'of the model by the parameter', { param: 'model', words: ['invalid_request_error'] }],
    [
      'misconfigured',
      'of the model in the message alone',
      { words: ['invalid_request_error'], message: UNKNOWN },
    ],
    [
      'misconfigured',
      'of the model by OpenRouter',
      { words: ['400'], message: `${MODEL} is not a valid model ID` },
    ],
    [
      'misconfigured',
      'of the model by DeepSeek',
      { words: ['invalid_request_error'], message: 'Model Not Exist' },
    ],
    [
      'misconfigured',
      'of the model by Gemini',
      {
        words: ['400', 'invalid_argument'],
        message: '* GenerateContentRequest.model: unexpected model name format',
      },
    ],
    ['unavailable', 'with status 408', { status: 408 }],
    ['unavailable', 'with status 503', { status: 503 }],
    ['unavailable', 'without a status', { status: undefined }],
  ])('a refusal is %s: one %s', (kind, _title, reported) => expect(kindOf(reported)).toBe(kind));
});

describe('refusalKind, for a message that quotes the caller', () => {
  it.each<[title: string, reported: Reported]>([
    ['after other words', { message: `Invalid message content: "${WRONG_KEY}"` }],
    ['in a field that is not the model', { param: 'messages', message: `"${UNKNOWN}" is too long` }],
    ['at the start, with a specific code', { words: ['unsupported_content'], message: WRONG_KEY }],
    ['that names another model', { message: 'The model `other` does not exist' }],
  ])(
    'a refused request stays rejected though the provider quotes words about a key or model: %s',
    (_title, reported) => expect(kindOf(reported)).toBe('rejected'),
  );
});
