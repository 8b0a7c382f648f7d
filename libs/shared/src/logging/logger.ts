import { pino, stdSerializers, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { withoutProviderWords } from './serialize-error.js';

export type { Logger } from 'pino';

const secrets = ['authorization', '["x-api-key"]', 'cookie', 'apiKey', 'api_key'];
const secretPaths = secrets.flatMap((name) => {
  const below = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${below}`, `*.*${below}`];
});
/**
 * Fields of errors that may quote the caller: ioredis the refused command (a job's payload), Postgres the refused row and
 * the position in a text.
 */
const contentPaths = ['error.command.args', 'error.detail', 'error.where'];

const verboseLevels = new Set(['debug', 'trace']);

/** JSON lines, by default on stdout: `timestamp, level, service, stage, request_id, message, …`. */
export function createLogger(service: string, level: string, lines?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      messageKey: 'message',
      errorKey: 'error',
      timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"timestamp"'),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: verboseLevels.has(level) ? stdSerializers.err : withoutProviderWords },
      redact: { paths: [...secretPaths, ...contentPaths], censor: '[redacted]' },
    },
    lines,
  );
}
