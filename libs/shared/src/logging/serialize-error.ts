import { stdSerializers } from 'pino';

/** Fields that may hold the body of a provider's response. */
const responseFields = ['error', 'body', 'rawResponse'] as const;

/**
 * An error and its causes for a log line, without the messages of providers: a model or embedder that refuses a text often
 * quotes it. Their status is kept.
 */
export function withoutProviderWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const line = { ...stdSerializers.err(error) };
  let link: unknown = error;
  for (let depth = 0; link instanceof Error && depth < 10; depth += 1) {
    const status = statusOf(link);
    if (status !== undefined && link.message !== '') {
      const { message } = link;
      line.message = line.message.replaceAll(message, `HTTP ${status}`);
      line.stack = line.stack.replaceAll(message, `HTTP ${status}`);
      for (const field of responseFields) delete line[field];
    }
    link = link.cause;
  }
  return line;
}

/** An error with a status is the response of an HTTP server. */
function statusOf(error: Error): number | undefined {
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  return [status, statusCode].find((value) => typeof value === 'number');
}
