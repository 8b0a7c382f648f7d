/** Why a store cannot be used, in words for callers. */
export interface StoreTrouble {
  message: string;
  retryAfterSeconds?: number;
}

/** A full disk or memory has room again after minutes at best. */
const UNTIL_ROOM_SECONDS = 30;

const noRoom = (message: string): StoreTrouble => ({ message, retryAfterSeconds: UNTIL_ROOM_SECONDS });

/** Errors of Postgres by SQLSTATE; the first match counts. */
const bySqlState: readonly [RegExp, StoreTrouble][] = [
  [/^53100$/, noRoom('The database cannot store data: its disk is full')],
  [/^58030$/, noRoom('The database cannot store data: its disk has failed')],
  [/^53200$/, { message: 'The database is out of memory' }],
  [/^53300$/, { message: 'The database has no free connection' }],
  [/^25006$/, { message: 'The database refuses writes: it is read-only' }],
  [/^57P0[123]$/, { message: 'The database is starting or stopping' }],
  [/^(57014|57P05|25P03)$/, { message: 'The database did not respond in time' }],
  [/^(40001|40P01)$/, { message: 'The database could not finish the transaction' }],
  [/^(08|53|57)/, { message: 'The database is not reachable' }],
];

/** Errors of pg itself, which have no code, by message. */
const byClientMessage: readonly [RegExp, StoreTrouble][] = [
  [/Query read timeout/, { message: 'The database did not respond in time' }],
  [
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed/,
    { message: 'The database is not reachable' },
  ],
];

/** Errors of Redis by their prefix, those of ioredis by message. */
const byRedisMessage: readonly [RegExp, StoreTrouble][] = [
  [/^MISCONF\b/, noRoom('The queue cannot store data: its disk refuses writes')],
  [/^OOM\b/, noRoom('The queue cannot store data: its memory is full')],
  [/^READONLY\b/, { message: 'The queue refuses writes: it is read-only' }],
  [/^NOREPLICAS\b/, { message: 'The queue refuses writes: it has too few replicas' }],
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

/** Errors that the database layer has thrown: a network code (`ECONNREFUSED`) does not show which dependency is away. */
const thrownByPostgres = new WeakSet<Error>();

/** Marks an error that Postgres or its client has thrown, and returns it. */
export function markAsPostgres<T>(error: T): T {
  if (error instanceof Error) thrownByPostgres.add(error);
  return error;
}

/** The cause of an error of Postgres; undefined for other errors, and for a rejected statement. */
export function postgresTrouble(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof Error && thrownByPostgres.has(error))) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (networkCodes.has(code)) return { message: 'The database is not reachable' };
  return firstFor(code, bySqlState) ?? firstFor(error.message, byClientMessage);
}

/** The cause of an error of Redis; undefined for other errors, and for a rejected command. */
export function redisTrouble(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'MaxRetriesPerRequestError') return { message: 'The queue is not reachable' };
  return firstFor(error.message, byRedisMessage);
}

function firstFor(text: string, known: readonly [RegExp, StoreTrouble][]): StoreTrouble | undefined {
  return known.find(([pattern]) => pattern.test(text))?.[1];
}
