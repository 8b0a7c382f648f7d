import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunEvent } from '@quire/shared/contracts';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** One response of the gateway, played by a test. */
export interface Exchange {
  request: ReceivedRequest;
  /** Sends events as SSE; the first is number `from`. */
  send(events: readonly RunEvent[], from?: number): void;
  /** Writes raw text into the stream. */
  raw(text: string): void;
  end(): void;
  /** Breaks the connection. */
  cut(): void;
  json(status: number, body: unknown, headers?: Record<string, string>): void;
}

export type Play = (exchange: Exchange) => void | Promise<void>;

export interface ScriptedGateway {
  url: string;
  requests: ReceivedRequest[];
  /** The requests of a route such as `POST /chat/stream`. */
  received(route: string): ReceivedRequest[];
}

export const RUN = '11111111-1111-4111-8111-111111111111';

/** An HTTP server that speaks the gateway's protocol; each route plays its exchanges in turn and repeats the last one. */
export async function startScriptedGateway(routes: Record<string, Play | Play[]>): Promise<ScriptedGateway> {
  const requests: ReceivedRequest[] = [];
  const routeOf = ({ method, path }: ReceivedRequest) => `${method} ${path.replace(RUN, '{id}')}`;
  const received = (route: string) => requests.filter((request) => routeOf(request) === route);
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    let text = '';
    for await (const part of req) text += String(part);
    const { method = '', url: path = '', headers } = req;
    const request = { method, path, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    requests.push(request);
    const plays = [routes[routeOf(request)] ?? []].flat();
    const play = plays[Math.min(received(routeOf(request)).length, plays.length) - 1];
    if (play) await play(exchangeOver(request, res));
    else exchangeOver(request, res).json(404, { error_code: 'NOT_FOUND', message: 'There is nothing' });
  };
  const server = createServer((req, res) => void serve(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, received };
}

function exchangeOver(request: ReceivedRequest, res: ServerResponse): Exchange {
  const raw = (text: string) => {
    if (!res.headersSent) res.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': RUN });
    res.write(text);
  };
  return {
    request,
    raw,
    send(events, from = 1) {
      for (const [i, { type, data }] of events.entries()) {
        raw(`id: ${from + i}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      }
    },
    end: () => res.end(),
    cut: () => void setImmediate(() => res.destroy()),
    json(status, body, headers = {}) {
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    },
  };
}
