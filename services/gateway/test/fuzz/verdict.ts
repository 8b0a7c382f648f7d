import { errorEnvelopeSchema } from '@quire/shared/contracts';
import { httpStatusOf } from '@quire/shared/errors';
import type { RawResponse } from '../raw-responses.js';

/** The problem of a response to any request: a 5xx, or an error without a correct envelope. */
export function problemOf({ status, headers, body }: RawResponse, sent: string): string | undefined {
  if (status >= 500) return `${status} ${body.slice(0, 300)}`;
  if (status < 400 || (body === '' && sent.includes('HEAD'))) return undefined;
  const envelope = errorEnvelopeSchema.safeParse(jsonIn(body));
  if (!envelope.success) return `${status} without envelope: ${body.slice(0, 300)}`;
  const { error_code, request_id, message } = envelope.data;
  if (httpStatusOf[error_code] !== status) return `${error_code} with status ${status}`;
  if (headers['x-request-id'] !== request_id) return 'another X-Request-Id than in the envelope';
  if (/\bat .+:\d+:\d+|node_modules|node:internal/.test(message)) return `a stack trace: ${message}`;
  return undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
