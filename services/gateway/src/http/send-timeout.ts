import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { timeBudgets } from '@quire/shared/time';

/** The connection of a client that has read nothing of its response for so long is closed. */
export const SEND_TIMEOUT_MS = timeBudgets.stream.sendTimeoutMs;

/**
 * Closes the connection of a client that does not read its complete response, which would be kept in memory for ever.
 * Uses the socket's own timeout, which restarts whenever some of the response is sent.
 */
export function applySendTimeout(server: Server, limitMs: number): void {
  // The same functions for all responses: those of an open stream are kept for as long as it lasts.
  function limit(this: ServerResponse): void {
    this.socket?.setTimeout(limitMs);
  }
  function limitPiped(this: ServerResponse): void {
    if (this.socket) limit.call(this);
    else this.once('socket', limit);
  }
  // Before the app's listener, which may respond at once.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    // A response is complete when it was ended, or is piped from a file.
    response.on('prefinish', limit);
    response.on('pipe', limitPiped);
    // Before Node's listener, which gives the connection to the next request, which has no limit yet.
    response.prependListener('finish', unlimit);
  });
}

function unlimit(this: ServerResponse): void {
  this.socket?.setTimeout(0);
}
