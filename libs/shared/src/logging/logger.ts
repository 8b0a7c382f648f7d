import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

const secretPaths = ['authorization', '*.authorization', 'apiKey', '*.apiKey', 'api_key', '*.api_key'];
/** ioredis puts the refused command into its errors: a job's payload, with the question in it. */
const contentPaths = ['error.command.args'];

/** JSON lines, on stdout if nothing else is said: `timestamp, level, service, stage, request_id, message, …`. */
export function createLogger(service: string, level: string, lines?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      messageKey: 'message',
      errorKey: 'error',
      timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"timestamp"'),
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...secretPaths, ...contentPaths], censor: '[redacted]' },
    },
    lines,
  );
}
