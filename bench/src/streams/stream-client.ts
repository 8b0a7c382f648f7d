import { connect, type Socket } from 'node:net';

const AT_ONCE = 50;

const body = JSON.stringify({ message: 'How do nodes communicate?' });
const request = [
  'POST /chat/stream HTTP/1.1',
  'Host: localhost',
  'Accept: text/event-stream',
  'Content-Type: application/json',
  'User-Agent: quire-bench',
  `Content-Length: ${Buffer.byteLength(body)}`,
  '',
  body,
].join('\r\n');

/** Sends this many questions to a gateway, each over a separate connection that stays open. */
export async function openStreams(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      sockets.push(await openStream(port));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return sockets;
}

/** Resolves when the stream's first event has arrived. */
function openStream(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes('event: queued')) resolve(socket.removeAllListeners('data').resume());
      else if (!text.startsWith('HTTP/1.1 200 ')) reject(new Error(`The gateway answered ${text}`));
    });
    socket.on('error', reject);
    socket.write(request);
  });
}
