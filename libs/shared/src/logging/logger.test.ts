import { expect, it } from 'vitest';
import { createLogger } from './logger.js';

const SECRET = 'canary-secret';

function logged(fields: object): string {
  const lines: string[] = [];
  createLogger('test', 'info', { write: (line) => lines.push(line) }).info(fields, 'Something');
  return lines.join('');
}

it.each<[object]>([
  [{ authorization: SECRET }],
  [{ headers: { authorization: SECRET } }],
  [{ req: { headers: { authorization: SECRET } } }],
  [{ 'x-api-key': SECRET }],
  [{ headers: { 'x-api-key': SECRET } }],
  [{ req: { headers: { 'x-api-key': SECRET, cookie: SECRET } } }],
  [{ config: { apiKey: SECRET, api_key: SECRET } }],
  [{ error: Object.assign(new Error('refused'), { headers: { authorization: SECRET } }) }],
  [{ error: Object.assign(new Error('refused'), { detail: `Failing row contains (${SECRET})` }) }],
  [{ error: Object.assign(new Error('refused'), { where: `JSON data, line 1: ${SECRET}` }) }],
])("a secret or a caller's text is not logged: %j", (fields) => {
  expect(logged(fields)).not.toContain(SECRET);
});

const answered = (message: string, more: object = {}) =>
  Object.assign(new Error(message), { status: 400, ...more });

it.each([
  ['itself', answered(`Cannot answer ${SECRET}`, { error: { message: SECRET }, body: SECRET })],
  ['a cause', new Error('The model refused', { cause: answered(`400 ${SECRET}`) })],
  ['a cause of a cause', new Error('a', { cause: new Error('b', { cause: answered(SECRET) }) })],
])('the message of a provider that quotes the caller is not logged: %s', (_what, error) => {
  expect(logged({ error })).not.toContain(SECRET);
  expect(logged({ error })).toContain('HTTP 400');
});

it('the message of a provider is logged at level debug', () => {
  const lines: string[] = [];
  const logger = createLogger('test', 'debug', { write: (line) => lines.push(line) });
  logger.warn({ error: new Error('The model refused', { cause: answered('no such model') }) }, 'Refused');
  expect(lines.join('')).toContain('no such model');
});

it('fields that are no secrets are logged', () => {
  expect(logged({ request_id: 'r1', error: new Error('why') })).toMatch(/"request_id":"r1".*why/);
});
