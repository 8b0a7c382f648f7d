import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parseResponses, type RawResponse } from './raw-responses.js';

interface RawOptions {
  /** Whether to close the client's side of the connection after the request: at once or later. */
  halfClose?: boolean | 'when idle';
}

/** After so long without bytes the client closes its side. */
const IDLE_MS = 40;

/** Writes these pieces to a new connection, one after the other, and reads until it closes. */
export async function rawRequest(
  url: string,
  pieces: readonly (string | Buffer)[],
  { halfClose = true }: RawOptions = {},
): Promise<RawResponse[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  // A server that refuses what it has not read yet may reset the connection.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  socket.once('end', () => socket.end());
  await once(socket, 'connect').catch(() => {});
  for (const piece of pieces) await write(socket, piece);
  if (halfClose === 'when idle') socket.setTimeout(IDLE_MS, () => socket.end());
  else if (halfClose) socket.end();
  await closed;
  return parseResponses(Buffer.concat(received));
}

function write(socket: Socket, piece: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (!socket.writable) resolve();
    else socket.write(piece, () => setImmediate(resolve));
  });
}
