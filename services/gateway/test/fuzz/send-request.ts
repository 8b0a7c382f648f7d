import { request, type Agent } from 'node:http';
import type { RawResponse } from '../raw-responses.js';
import type { FuzzRequest } from './http-requests.js';

/** Sends a request and reads the response; undefined if the client leaves, or cannot send the request. */
export function sendRequest(
  url: string,
  { method, path, headers, credentials, body, leaves }: FuzzRequest,
  agent: Agent,
): Promise<RawResponse | undefined> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const all = { ...headers, ...credentials, ...length };
    const sent = request(url, { method, path, agent, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (bytes: Buffer) => chunks.push(bytes));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The gateway may refuse a body that is too large before all of it was sent.
      const isCut = error.code === 'EPIPE' || error.code === 'ECONNRESET';
      if (leaves || (isCut && (body?.length ?? 0) > 200_000)) resolve(undefined);
      else reject(error);
    });
    sent.end(body, () => {
      if (leaves) setImmediate(() => sent.destroy(new Error('left')));
    });
  });
}
