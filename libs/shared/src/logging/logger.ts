import { pino, stdTimeFunctions, type Logger } from 'pino';

export type { Logger } from 'pino';

const secretPaths = ['authorization', '*.authorization', 'apiKey', '*.apiKey', 'api_key', '*.api_key'];

/** JSON lines on stdout: `timestamp, level, service, stage, request_id, message, …`. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    messageKey: 'message',
    errorKey: 'error',
    timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"timestamp"'),
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secretPaths, censor: '[redacted]' },
  });
}
