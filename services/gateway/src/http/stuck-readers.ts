import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A client that has read nothing for so long is cut off. */
export const STUCK_READER_MS = 60_000;

/**
 * Cuts off clients that do not fetch the answer that was made for them, which would be kept for ever. Node's own
 * time-out of a connection tells whether what is left to send gets less.
 */
export function cutOffStuckReaders(server: Server, limitMs: number): void {
  // Ahead of the app, which may answer at once.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.once('prefinish', () => response.socket?.setTimeout(limitMs));
    // Ahead of Node's listener, which hands the connection to the next request: that one may wait for as long as it likes.
    response.prependOnceListener('finish', () => response.socket?.setTimeout(0));
  });
}
