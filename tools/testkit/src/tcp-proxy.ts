import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from '@quire/stack/stores';

/** A loopback proxy between a client and a store, for faults of the network rather than of the store. */
export interface TcpProxy {
  /** The target's URL with the proxy's address in it. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections, but lets no byte through in either direction: a network that hangs. */
  pause(): void;
  /** The connections that exist fall silent for ever, as when a network has dropped them; new ones are served. */
  strand(): void;
  /** Undoes `cut` and `pause`; bytes held back by a pause arrive now. */
  restore(): Promise<void>;
  /** New connections go to another server from now on, as after a failover; those that exist are broken. */
  retarget(targetUrl: string): void;
  /** The same, but those that exist stay where they are. */
  redirect(targetUrl: string): void;
  close(): Promise<void>;
}

const DEFAULT_PORTS: Record<string, number> = {
  'redis:': 6379,
  'postgres:': 5432,
  'postgresql:': 5432,
  'http:': 80,
};

export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  let target = addressOf(targetUrl);
  const pairs = new Set<Pair>();
  let paused = false;
  // An ephemeral port could be taken by any outgoing connection while the proxy is cut.
  const [port = 0] = await freePorts(1);
  let server = await listen();
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);

  async function listen(): Promise<Server> {
    const created = createServer({ allowHalfOpen: true }, (client) => {
      const pair = new Pair(client, connect({ ...target, allowHalfOpen: true }));
      pairs.add(pair);
      pair.onGone(() => pairs.delete(pair));
      if (!paused) pair.flow();
    });
    created.listen(port, '127.0.0.1');
    await once(created, 'listening');
    return created;
  }

  async function cut(): Promise<void> {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    for (const pair of pairs) pair.destroy();
    await closed;
  }

  function redirect(newTargetUrl: string): void {
    target = addressOf(newTargetUrl);
  }

  return {
    url: url.href.endsWith('/') && !targetUrl.endsWith('/') ? url.href.slice(0, -1) : url.href,
    cut,
    pause() {
      paused = true;
      for (const pair of pairs) pair.hold();
    },
    strand() {
      for (const pair of pairs) pair.strand();
    },
    async restore() {
      paused = false;
      for (const pair of pairs) pair.flow();
      if (!server.listening) server = await listen();
    },
    retarget(newTargetUrl) {
      redirect(newTargetUrl);
      for (const pair of pairs) pair.destroy();
    },
    redirect,
    close: cut,
  };
}

function addressOf(targetUrl: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(targetUrl);
  return { host: hostname, port: Number(port) || (DEFAULT_PORTS[protocol] ?? 0) };
}

class Pair {
  readonly #client: Socket;
  readonly #upstream: Socket;
  #stranded = false;

  constructor(client: Socket, upstream: Socket) {
    this.#client = client;
    this.#upstream = upstream;
    for (const socket of [client, upstream]) socket.on('error', () => this.destroy());
  }

  onGone(handle: () => void): void {
    this.#client.once('close', handle);
    this.#upstream.once('close', () => this.#client.destroy());
  }

  flow(): void {
    this.hold();
    if (this.#stranded) return;
    this.#client.pipe(this.#upstream);
    this.#upstream.pipe(this.#client);
  }

  hold(): void {
    this.#client.unpipe(this.#upstream).pause();
    this.#upstream.unpipe(this.#client).pause();
  }

  strand(): void {
    this.#stranded = true;
    this.hold();
  }

  destroy(): void {
    this.#client.destroy();
    this.#upstream.destroy();
  }
}
