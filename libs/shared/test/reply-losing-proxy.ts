import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReplyLosingProxy {
  /** The target's URL with the proxy's address in it. */
  readonly url: string;
  /** The next request reaches the server, but its reply does not come back: the connection breaks instead. */
  loseNextReply(): void;
  /** How many replies were lost so far. */
  readonly lost: number;
}

/** A TCP proxy in front of Redis that loses replies, so that clients repeat commands that were executed. */
export async function replyLosingProxyForTest(targetUrl: string): Promise<ReplyLosingProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let armed = false;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (reply) => {
      if (!armed) return void client.write(reply);
      armed = false;
      lost += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseNextReply() {
      armed = true;
    },
    get lost() {
      return lost;
    },
  };
}
