import { expect, it } from 'vitest';
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
  NotFound,
  Superseded,
} from './quire-error.js';
import { markAsPostgres } from './store-trouble.js';

const withCode = (code: string, message = 'secret words') => Object.assign(new Error(message), { code });
const named = (name: string) => Object.assign(new Error('secret words'), { name });

it.each<[Error, code: ErrorCode, status: number, retryable: boolean]>([
  [new InvalidInput('EMPTY_QUERY', 'x'), 'EMPTY_QUERY', 400, false],
  [new InvalidInput('UNAUTHORIZED', 'x'), 'UNAUTHORIZED', 401, false],
  [new NotFound('NOT_FOUND', 'x'), 'NOT_FOUND', 404, false],
  [new Conflict('IDEMPOTENCY_CONFLICT', 'x'), 'IDEMPOTENCY_CONFLICT', 409, false],
  [new LimitExceeded('RATE_LIMITED', 'x'), 'RATE_LIMITED', 429, false],
  [new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'x'), 'RETRIEVAL_UNAVAILABLE', 503, true],
  [new DeadlineExceeded('x'), 'DEADLINE_EXCEEDED', 504, false],
  [new Superseded(), 'INTERNAL', 500, true],
  [new Internal('x'), 'INTERNAL', 500, false],
])('a QuireError is classified by its class: %o', (error, code, status, retryable) => {
  const message = status === 500 ? INTERNAL_MESSAGE : 'x';
  expect(classifyError(error)).toMatchObject({ code, status, retryable, message });
});

it('a QuireError keeps its details and its Retry-After', () => {
  const details = [{ path: 'top_k', problem: 'too big' }];
  expect(classifyError(new InvalidInput('INVALID_REQUEST', 'x', { details })).details).toBe(details);
  const limited = new LimitExceeded('RATE_LIMITED', 'x', { retryAfterSeconds: 42 });
  expect(classifyError(limited).retryAfterSeconds).toBe(42);
});

const away = 'The database is not reachable';
const late = 'The database did not respond in time';
const queueAway = 'The queue is not reachable';

it.each<[Error, message: string, retryAfterSeconds?: number]>([
  [withCode('53100'), 'The database cannot store data: its disk is full', 30],
  [withCode('58030'), 'The database cannot store data: its disk has failed', 30],
  [withCode('53200'), 'The database is out of memory'],
  [withCode('53300'), 'The database has no free connection'],
  [withCode('25006'), 'The database refuses writes: it is read-only'],
  [withCode('57P01'), 'The database is starting or stopping'],
  [withCode('57P03'), 'The database is starting or stopping'],
  [withCode('57014'), late],
  [withCode('25P03'), late],
  [withCode('40001'), 'The database could not finish the transaction'],
  [withCode('40P01'), 'The database could not finish the transaction'],
  [withCode('08006'), away],
  [withCode('53400'), away],
  [withCode('ECONNREFUSED'), away],
  [withCode('ECONNRESET'), away],
  [withCode('ENOTFOUND'), away],
  [new Error('Query read timeout'), late],
  [new Error('Connection terminated unexpectedly'), away],
  [new Error('Connection terminated due to connection timeout'), away],
  [new Error('timeout exceeded when trying to connect'), away],
  [new Error('Client has encountered a connection error and is not queryable'), away],
  [new Error('Client was closed and is not queryable'), away],
])(
  'an error of Postgres is STORAGE_UNAVAILABLE with its cause in our words: %o',
  (error, message, retryAfterSeconds = 5) => {
    expect(classifyError(markAsPostgres(error))).toEqual({
      code: 'STORAGE_UNAVAILABLE',
      status: 503,
      message,
      retryable: true,
      retryAfterSeconds,
      details: undefined,
    });
  },
);

it.each<[Error, message: string, retryAfterSeconds?: number]>([
  [
    new Error("OOM command not allowed when used memory > 'maxmemory'. script: 1f, on @user_script:3."),
    'The queue cannot store data: its memory is full',
    30,
  ],
  [
    new Error('MISCONF Redis is configured to save RDB snapshots, but is unable to persist on disk'),
    'The queue cannot store data: its disk refuses writes',
    30,
  ],
  [
    new Error('MISCONF Errors writing to the AOF file: No space left on device'),
    'The queue cannot store data: its disk refuses writes',
    30,
  ],
  [
    new Error("READONLY You can't write against a read only replica."),
    'The queue refuses writes: it is read-only',
  ],
  [
    new Error('NOREPLICAS Not enough good replicas to write.'),
    'The queue refuses writes: it has too few replicas',
  ],
  [new Error('LOADING Redis is loading the dataset in memory'), 'The queue is starting'],
  [new Error('CLUSTERDOWN The cluster is down'), queueAway],
  [new Error('Command timed out'), 'The queue did not respond in time'],
  [named('MaxRetriesPerRequestError'), queueAway],
  [new Error('Connection is closed.'), queueAway],
  [new Error("Stream isn't writeable and enableOfflineQueue options is false"), queueAway],
  [new Error('Command aborted due to connection close'), queueAway],
])(
  'an error of Redis is QUEUE_UNAVAILABLE with its cause in our words: %o',
  (error, message, retryAfterSeconds = 5) => {
    expect(classifyError(error)).toEqual({
      code: 'QUEUE_UNAVAILABLE',
      status: 503,
      message,
      retryable: true,
      retryAfterSeconds,
      details: undefined,
    });
  },
);

it.each<[unknown]>([
  [new TypeError('secret words')],
  [markAsPostgres(withCode('23505'))],
  [markAsPostgres(withCode('42P01'))],
  [markAsPostgres(withCode('22021'))],
  [withCode('ERR_INVALID_ARG_TYPE')],
  [named('ReplyError')],
  [new Error('WRONGTYPE Operation against a key: secret words')],
  [new Error('the words LOADING and OOM in the middle of secret words')],
  [new Error('outer', { cause: withCode('ECONNREFUSED') })],
  [withCode('ECONNREFUSED')],
  [withCode('ECONNRESET')],
  [withCode('ETIMEDOUT')],
  [withCode('53100')],
  [new Error('Connection terminated unexpectedly')],
  ['secret words'],
  [{ code: '08006', message: 'secret words' }],
  [undefined],
  [null],
])('any other error is INTERNAL, without its message: %o', (error) => {
  const classified = classifyError(error);
  expect(classified).toMatchObject({ code: 'INTERNAL', status: 500, retryable: false });
  expect(classified.retryAfterSeconds).toBeUndefined();
  expect(classified.message).toBe('Something went wrong on our side');
});

it.each(errorCodeSchema.options)(
  'an error rebuilt from the code %s keeps status and message; INTERNAL has no message of its own',
  (code) => {
    const status = httpStatusOf[code];
    const rebuilt = classifyError(errorWithCode(code, 'words for the caller'));
    const message = status === 500 ? INTERNAL_MESSAGE : 'words for the caller';
    expect(rebuilt).toMatchObject({ code, status, message });
  },
);

it.each(errorCodeSchema.options)('%s has a Retry-After if and only if its status is 429 or 503', (code) => {
  const isTemporary = [429, 503].includes(httpStatusOf[code]);
  const given = { retryAfterSeconds: 9 };
  expect(classifyError(errorWithCode(code, 'x')).retryAfterSeconds).toBe(isTemporary ? 5 : undefined);
  expect(classifyError(errorWithCode(code, 'x', given)).retryAfterSeconds).toBe(isTemporary ? 9 : undefined);
});

it.each(errorCodeSchema.options)('%s is retryable if and only if its status is 503', (code) => {
  expect(classifyError(errorWithCode(code, 'x')).retryable).toBe(httpStatusOf[code] === 503);
});
