import { describe, expect, it } from 'vitest';
import { classifyError } from './classify-error.js';
import { errorCodeSchema, httpStatusOf, type ErrorCode } from './error-codes.js';
import {
  Conflict,
  DeadlineExceeded,
  DependencyUnavailable,
  errorWithCode,
  Internal,
  InvalidInput,
  LimitExceeded,
  INTERNAL_MESSAGE,
  ModelBehaviour,
  NotFound,
} from './quire-error.js';

const withCode = (code: string, message = 'secret words') => Object.assign(new Error(message), { code });
const named = (name: string) => Object.assign(new Error('secret words'), { name });

describe('an error of our own', () => {
  it.each<[Error, code: ErrorCode, status: number, retryable: boolean]>([
    [new InvalidInput('EMPTY_QUERY', 'x'), 'EMPTY_QUERY', 400, false],
    [new InvalidInput('UNAUTHORIZED', 'x'), 'UNAUTHORIZED', 401, false],
    [new NotFound('NOT_FOUND', 'x'), 'NOT_FOUND', 404, false],
    [new Conflict('IDEMPOTENCY_CONFLICT', 'x'), 'IDEMPOTENCY_CONFLICT', 409, false],
    [new LimitExceeded('RATE_LIMITED', 'x'), 'RATE_LIMITED', 429, false],
    [new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'x'), 'RETRIEVAL_UNAVAILABLE', 503, true],
    [new DeadlineExceeded('x'), 'DEADLINE_EXCEEDED', 504, false],
    [new ModelBehaviour('x'), 'INTERNAL', 500, false],
    [new Internal('x'), 'INTERNAL', 500, false],
  ])('decides by its class: %o', (error, code, status, retryable) => {
    const message = status === 500 ? INTERNAL_MESSAGE : 'x';
    expect(classifyError(error)).toMatchObject({ code, status, retryable, message });
  });

  it('keeps its details and its own Retry-After', () => {
    const details = [{ path: 'top_k', problem: 'too big' }];
    expect(classifyError(new InvalidInput('INVALID_REQUEST', 'x', { details })).details).toBe(details);
    const limited = new LimitExceeded('RATE_LIMITED', 'x', { retryAfterSeconds: 42 });
    expect(classifyError(limited).retryAfterSeconds).toBe(42);
  });
});

describe("a store's error", () => {
  it.each<[Error]>([
    [withCode('08006')],
    [withCode('53300')],
    [withCode('57P01')],
    [withCode('57P03')],
    [withCode('57014')],
    [withCode('40001')],
    [withCode('40P01')],
    [withCode('25006')],
    [withCode('25P03')],
    [withCode('ECONNREFUSED')],
    [withCode('ECONNRESET')],
    [withCode('ENOTFOUND')],
    [new Error('Connection terminated unexpectedly')],
    [new Error('Connection terminated due to connection timeout')],
    [new Error('timeout exceeded when trying to connect')],
    [new Error('Client has encountered a connection error and is not queryable')],
    [new Error('Client was closed and is not queryable')],
  ])('is Postgres being away: %o', (error) => {
    expect(classifyError(error)).toEqual({
      code: 'STORAGE_UNAVAILABLE',
      status: 503,
      message: 'The database is not reachable',
      retryable: true,
      retryAfterSeconds: 5,
      details: undefined,
    });
  });

  it.each<[Error]>([
    [named('MaxRetriesPerRequestError')],
    [new Error('Connection is closed.')],
    [new Error("Stream isn't writeable and enableOfflineQueue options is false")],
    [new Error('Command timed out')],
    [new Error('Command aborted due to connection close')],
    [new Error('LOADING Redis is loading the dataset in memory')],
    [new Error("OOM command not allowed when used memory > 'maxmemory'. script: 1f, on @user_script:3.")],
    [new Error("READONLY You can't write against a read only replica.")],
    [new Error('MISCONF Redis is configured to save RDB snapshots, but is unable to persist on disk')],
    [new Error('NOREPLICAS Not enough good replicas to write.')],
    [new Error('CLUSTERDOWN The cluster is down')],
  ])('is Redis being away: %o', (error) => {
    expect(classifyError(error)).toEqual({
      code: 'QUEUE_UNAVAILABLE',
      status: 503,
      message: 'The queue is not reachable',
      retryable: true,
      retryAfterSeconds: 5,
      details: undefined,
    });
  });
});

it.each<[unknown]>([
  [new TypeError('secret words')],
  [withCode('23505')],
  [withCode('42P01')],
  [withCode('22021')],
  [withCode('ERR_INVALID_ARG_TYPE')],
  [named('ReplyError')],
  [new Error('WRONGTYPE Operation against a key: secret words')],
  [new Error('the words LOADING and OOM in the middle of secret words')],
  [new Error('outer', { cause: withCode('ECONNREFUSED') })],
  ['secret words'],
  [{ code: '08006', message: 'secret words' }],
  [undefined],
  [null],
])('anything else is a defect of ours, told without its words: %o', (error) => {
  const classified = classifyError(error);
  expect(classified).toMatchObject({ code: 'INTERNAL', status: 500, retryable: false });
  expect(classified.retryAfterSeconds).toBeUndefined();
  expect(classified.message).toBe('Something went wrong on our side');
});

describe.each(errorCodeSchema.options)('%s', (code) => {
  const status = httpStatusOf[code];

  const comeBack = status === 429 || status === 503;

  it('keeps its status and message when it is rebuilt from its code; a defect tells nothing', () => {
    const rebuilt = classifyError(errorWithCode(code, 'words for the caller'));
    const message = status === 500 ? INTERNAL_MESSAGE : 'words for the caller';
    expect(rebuilt).toMatchObject({ code, status, message });
  });

  it('has a Retry-After exactly when the caller should come back', () => {
    const given = { retryAfterSeconds: 9 };
    expect(classifyError(errorWithCode(code, 'x')).retryAfterSeconds).toBe(comeBack ? 5 : undefined);
    expect(classifyError(errorWithCode(code, 'x', given)).retryAfterSeconds).toBe(comeBack ? 9 : undefined);
  });

  it('is tried again by the queue exactly when a dependency is away', () => {
    expect(classifyError(errorWithCode(code, 'x')).retryable).toBe(status === 503);
  });
});
