import { once } from 'node:events';
import { connect } from 'node:net';
import { parseAnswers, type RawAnswer } from './raw-answers.js';

/** Writes these pieces to a connection of its own, one after the other, and reads what comes until it closes. */
export async function rawRequest(
  url: string,
  pieces: readonly (string | Buffer)[],
  { halfClose = true } = {},
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  // A server that refuses what it has not read yet may reset the connection.
  socket.on('error', () => {});
  const closed = once(socket, 'close').catch(() => {});
  socket.once('end', () => socket.end());
  await once(socket, 'connect').catch(() => {});
  for (const piece of pieces) {
    if (socket.destroyed || socket.writableEnded) break;
    await new Promise<void>((resolve) => {
      socket.write(piece, () => setImmediate(resolve));
    });
  }
  if (halfClose && !socket.writableEnded) socket.end();
  await closed;
  return parseAnswers(Buffer.concat(received));
}
