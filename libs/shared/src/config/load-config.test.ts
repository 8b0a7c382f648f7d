import { expect, it } from 'vitest';
import { z } from 'zod';
import { environment, wholeNumber } from './environment.js';
import { InvalidConfiguration, loadConfig } from './load-config.js';

const schema = z.object({
  REDIS_URL: environment.REDIS_URL,
  DATABASE_URL: environment.DATABASE_URL,
  QDRANT_URL: environment.QDRANT_URL,
  QDRANT_API_KEY: environment.QDRANT_API_KEY,
  QDRANT_COLLECTION: environment.QDRANT_COLLECTION,
  LOG_LEVEL: environment.LOG_LEVEL,
  PORT: wholeNumber(0, 65_535).default(8787),
});

const valid = {
  REDIS_URL: 'redis://127.0.0.1:6379',
  DATABASE_URL: 'postgres://quire:secret@127.0.0.1:5432/quire',
  QDRANT_URL: 'http://127.0.0.1:6333',
};

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.problems;
    throw error;
  }
  return [];
}

it('loadConfig fills in defaults', () => {
  expect(loadConfig(schema, valid)).toEqual({
    ...valid,
    QDRANT_COLLECTION: 'quire',
    LOG_LEVEL: 'info',
    PORT: 8787,
  });
});

it('a loaded configuration is frozen', () => {
  const config = loadConfig(schema, valid);
  expect(Object.isFrozen(config)).toBe(true);
  expect(() => Object.assign(config, { PORT: 1 })).toThrow(TypeError);
});

it('variables that are not in the schema are ignored', () => {
  expect(loadConfig(schema, { ...valid, PATH: '/bin' })).not.toHaveProperty('PATH');
});

it.each(['', ' ', '\t', undefined])('a blank variable counts as unset: %j', (blank) => {
  expect(loadConfig(schema, { ...valid, PORT: blank, LOG_LEVEL: blank, QDRANT_API_KEY: blank })).toEqual(
    loadConfig(schema, valid),
  );
  expect(problemsOf({ ...valid, REDIS_URL: blank })).toHaveLength(1);
});

it('every problem is reported at once, with the name of its variable', () => {
  const problems = problemsOf({
    REDIS_URL: 'http://127.0.0.1',
    QDRANT_URL: 'not a url',
    QDRANT_COLLECTION: 'a/b',
    LOG_LEVEL: 'loud',
    PORT: '65536',
  });
  expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
    'DATABASE_URL',
    'LOG_LEVEL',
    'PORT',
    'QDRANT_COLLECTION',
    'QDRANT_URL',
    'REDIS_URL',
  ]);
  expect(new InvalidConfiguration(problems).message.split('\n')).toHaveLength(7);
});

it('the problem of each variable says what is allowed', () => {
  expect(problemsOf({ ...valid, LOG_LEVEL: 'loud', PORT: '-1.5' })).toEqual([
    'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
    'PORT: must be a whole number from 0 to 65535',
  ]);
  expect(problemsOf({ REDIS_URL: valid.REDIS_URL, QDRANT_URL: valid.QDRANT_URL })).toEqual([
    'DATABASE_URL: must be a postgres:// URL',
  ]);
  expect(() => loadConfig(z.object({ NAME: z.string() }), {})).toThrow('NAME: must be set');
});

it('a problem never quotes the value of its variable, which may be a secret', () => {
  const report = problemsOf({
    REDIS_URL: 'secret1',
    DATABASE_URL: 'secret2',
    QDRANT_URL: 'secret3',
    QDRANT_COLLECTION: 'secret/4',
    LOG_LEVEL: 'secret5',
    PORT: 'secret6',
  });
  expect(report).toHaveLength(6);
  expect(report.join('\n')).not.toContain('secret');
});

it.each([
  ['0', 0],
  ['10', 10],
  [' 7 ', 7],
])('wholeNumber accepts %j', (text, value) => {
  expect(wholeNumber(0, 10).parse(text)).toBe(value);
});

it.each(['-1', '11', '1.5', 'ten', '1 0', 'NaN', 'Infinity', '1,0'])('wholeNumber refuses %j', (text) => {
  expect(wholeNumber(0, 10).safeParse(text).success).toBe(false);
});

it.each([
  ['REDIS_URL', 'rediss://:p%40ss@redis.example:6380/2'],
  ['DATABASE_URL', 'postgresql://u:p@db.example/quire?sslmode=require'],
  ['QDRANT_URL', 'https://qdrant.example:6333'],
] as const)('%s accepts %s', (name, url) => {
  expect(loadConfig(schema, { ...valid, [name]: url })[name]).toBe(url);
});

it.each([
  ['REDIS_URL', 'redis'],
  ['REDIS_URL', 'https://redis.example'],
  ['DATABASE_URL', 'mysql://db.example/quire'],
  ['QDRANT_URL', 'ftp://qdrant.example'],
] as const)('%s refuses %s', (name, url) => {
  expect(problemsOf({ ...valid, [name]: url })).toEqual([expect.stringMatching(`^${name}: must be`)]);
});
