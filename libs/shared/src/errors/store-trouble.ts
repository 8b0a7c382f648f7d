/** What is wrong with a store, in words for callers. */
export interface StoreTrouble {
  message: string;
  retryAfterSeconds?: number;
}

/** What passes only when a disk or memory has room again, which is a matter of minutes at best. */
const UNTIL_ROOM_SECONDS = 30;

/** The first that fits the SQLSTATE. */
const bySqlState: readonly [RegExp, StoreTrouble][] = [
  [
    /^53100$/,
    { message: 'The database cannot store data: its disk is full', retryAfterSeconds: UNTIL_ROOM_SECONDS },
  ],
  [
    /^58030$/,
    { message: 'The database cannot store data: its disk has failed', retryAfterSeconds: UNTIL_ROOM_SECONDS },
  ],
  [/^53200$/, { message: 'The database is out of memory' }],
  [/^53300$/, { message: 'The database has no free connection' }],
  [/^25006$/, { message: 'The database takes no writes: it is read-only' }],
  [/^57P0[123]$/, { message: 'The database is starting or stopping' }],
  [/^(57014|57P05|25P03)$/, { message: 'The database did not respond in time' }],
  [/^(40001|40P01)$/, { message: 'The database could not finish the transaction' }],
  [/^(08|53|57)/, { message: 'The database is not reachable' }],
];

/** Of pg itself, which gives its own errors no code. */
const byClientMessage: readonly [RegExp, StoreTrouble][] = [
  [/Query read timeout/, { message: 'The database did not respond in time' }],
  [
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed/,
    { message: 'The database is not reachable' },
  ],
];

/** By the word that Redis puts in front of its errors, or the words of ioredis. */
const byRedisMessage: readonly [RegExp, StoreTrouble][] = [
  [
    /^MISCONF\b/,
    { message: 'The queue cannot store data: its disk takes none', retryAfterSeconds: UNTIL_ROOM_SECONDS },
  ],
  [
    /^OOM\b/,
    { message: 'The queue cannot store data: its memory is full', retryAfterSeconds: UNTIL_ROOM_SECONDS },
  ],
  [/^READONLY\b/, { message: 'The queue takes no writes: it is read-only' }],
  [/^NOREPLICAS\b/, { message: 'The queue takes no writes: it misses its replicas' }],
  [/^LOADING\b/, { message: 'The queue is starting' }],
  [/^(MASTERDOWN|CLUSTERDOWN)\b/, { message: 'The queue is not reachable' }],
  [/Command timed out/, { message: 'The queue did not respond in time' }],
  [
    /Connection is closed|Stream isn't writeable|Command aborted due to connection close/,
    { message: 'The queue is not reachable' },
  ],
];

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** What an error of Postgres, or of its client, says about Postgres; undefined for all that is not its trouble. */
export function postgresTrouble(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (networkCodes.has(code)) return { message: 'The database is not reachable' };
  return firstFor(code, bySqlState) ?? firstFor(error.message, byClientMessage);
}

/** The same of Redis. */
export function redisTrouble(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'MaxRetriesPerRequestError') return { message: 'The queue is not reachable' };
  return firstFor(error.message, byRedisMessage);
}

function firstFor(text: string, known: readonly [RegExp, StoreTrouble][]): StoreTrouble | undefined {
  return known.find(([pattern]) => pattern.test(text))?.[1];
}
