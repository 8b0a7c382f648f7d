import { describe, expect, it } from 'vitest';
import { lookalikes } from './lookalikes.js';

const KNOWN = ['PORT', 'HOST', 'GEMINI_MODELS', 'GEMINI_API_KEY', 'AGENT_CONCURRENCY'];

describe('an unknown variable', () => {
  it.each([
    ['GEMINI_MODEL', 'GEMINI_MODELS'],
    ['GEMINI_APIKEY', 'GEMINI_API_KEY'],
    ['GEMNII_API_KEY', 'GEMINI_API_KEY'],
    ['AGENT_CONCURENCY', 'AGENT_CONCURRENCY'],
    ['gemini_api_key', 'GEMINI_API_KEY'],
    ['PROT', 'PORT'],
  ])('and looks like one that is known is named with it: %s for %s', (name, meant) => {
    expect(lookalikes([name], KNOWN)).toEqual([{ name, meant }]);
  });

  it.each(['HOSTNAME', 'PATH', 'GEMINI_REGION', 'MY_API_KEY', 'OPENAI_API_KEY'])(
    'and looks like none is left alone: %s',
    (name) => {
      expect(lookalikes([name], KNOWN)).toEqual([]);
    },
  );
});

it('a known variable is never taken for another', () => {
  expect(lookalikes(['PORT', 'HOST'], ['PORT', 'HOST', 'POST'])).toEqual([]);
});
