import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { timeBudgets } from '@quire/shared/time';

/** A client that has read nothing for so long is cut off. */
export const STUCK_READER_MS = timeBudgets.stream.stuckReaderMs;

/**
 * Cuts off clients that do not fetch the answer that was made for them, which would be kept for ever. Node's own
 * time-out of a connection tells whether what is left to send gets less.
 */
export function cutOffStuckReaders(server: Server, limitMs: number): void {
  // The same functions for all responses: those of an open stream are kept for as long as it lasts.
  function limit(this: ServerResponse): void {
    this.socket?.setTimeout(limitMs);
  }
  function limitPiped(this: ServerResponse): void {
    if (this.socket) limit.call(this);
    else this.once('socket', limit);
  }
  // Ahead of the app, which may answer at once.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    // An answer is whole when it was ended, or comes from a file, which waits for nobody but the client.
    response.on('prefinish', limit);
    response.on('pipe', limitPiped);
    // Ahead of Node's listener, which hands the connection to the next request: that one may wait for as long as it likes.
    response.prependListener('finish', unlimit);
  });
}

function unlimit(this: ServerResponse): void {
  this.socket?.setTimeout(0);
}
