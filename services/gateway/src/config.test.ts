import { InvalidConfiguration } from '@quire/shared/config';
import { expect, it } from 'vitest';
import { loadGatewayConfig } from './config.js';

const stores = { REDIS_URL: 'redis://r', DATABASE_URL: 'postgres://p', QDRANT_URL: 'http://q' };
const API_KEY_SECRET = 's'.repeat(32);
const authOf = (env: Record<string, string>) => loadGatewayConfig({ ...stores, ...env }).AUTH;
const problemsOf = (env: Record<string, string>) => {
  try {
    loadGatewayConfig({ ...stores, ...env });
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.problems;
  }
  return [];
};

it.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1'])(
  'authentication is off by default on the loopback host %s',
  (HOST) => {
    expect(authOf({ HOST })).toBe('off');
    expect(authOf({ HOST, AUTH: 'on', API_KEY_SECRET })).toBe('on');
  },
);

it.each(['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'example.org'])(
  'authentication is on by default on the host %s',
  (HOST) => {
    expect(authOf({ HOST, API_KEY_SECRET })).toBe('on');
  },
);

it('AUTH=off is refused on a public host, and the problem says why', () => {
  expect(problemsOf({ HOST: '0.0.0.0', AUTH: 'off' })).toEqual([
    expect.stringMatching(/^AUTH: .*loopback.*0\.0\.0\.0/),
  ]);
});

it('API_KEY_SECRET has no default and must be long', () => {
  expect(problemsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^API_KEY_SECRET: must be set/)]);
  expect(problemsOf({ HOST: '0.0.0.0', API_KEY_SECRET: 'short' })).toEqual([
    expect.stringMatching(/^API_KEY_SECRET: .*32/),
  ]);
});

it.each([
  ['', []],
  ['https://book.example', ['https://book.example']],
  ['https://book.example, http://127.0.0.1:3000', ['https://book.example', 'http://127.0.0.1:3000']],
])('CORS_ORIGINS=%s lists %j', (text, origins) => {
  expect(loadGatewayConfig({ ...stores, CORS_ORIGINS: text }).CORS_ORIGINS).toEqual(origins);
});

it.each([
  '*',
  'book.example',
  'https://book.example/',
  'https://book.example/docs',
  'https://a.example,',
  'null',
])('CORS_ORIGINS=%s is refused: no browser sends it as an origin', (text) => {
  expect(() => loadGatewayConfig({ ...stores, CORS_ORIGINS: text })).toThrow(InvalidConfiguration);
});
