import { InvalidConfiguration } from '@quire/shared/config';
import { expect, it } from 'vitest';
import { loadGatewayConfig } from './config.js';

const stores = {
  REDIS_URL: 'redis://127.0.0.1',
  DATABASE_URL: 'postgres://127.0.0.1/quire',
  QDRANT_URL: 'http://127.0.0.1:6333',
};

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
