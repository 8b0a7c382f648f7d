import { expect, it } from 'vitest';
import { lookalikes } from './lookalikes.js';

const KNOWN = ['PORT', 'HOST', 'GEMINI_MODELS', 'GEMINI_API_KEY', 'AGENT_CONCURRENCY'];

it.each([
  ['GEMINI_MODEL', 'GEMINI_MODELS'],
  ['GEMINI_APIKEY', 'GEMINI_API_KEY'],
  ['GEMNII_API_KEY', 'GEMINI_API_KEY'],
  ['AGENT_CONCURENCY', 'AGENT_CONCURRENCY'],
  ['gemini_api_key', 'GEMINI_API_KEY'],
  ['PROT', 'PORT'],
])('an unknown variable that resembles a known one is reported with it: %s for %s', (name, meant) => {
  expect(lookalikes([name], KNOWN)).toEqual([{ name, meant }]);
});

it.each(['HOSTNAME', 'PATH', 'GEMINI_REGION', 'MY_API_KEY', 'OPENAI_API_KEY'])(
  'an unknown variable that resembles no known one is ignored: %s',
  (name) => {
    expect(lookalikes([name], KNOWN)).toEqual([]);
  },
);

it('a known variable is not reported as a misspelling of another', () => {
  expect(lookalikes(['PORT', 'HOST'], ['PORT', 'HOST', 'POST'])).toEqual([]);
});
