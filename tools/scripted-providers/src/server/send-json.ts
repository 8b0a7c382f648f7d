import { randomUUID } from 'node:crypto';
import type { Delivery } from '../behaviours/delivery.js';
import type { ErrorBehaviour } from '../behaviours/fault.js';
import type { Protocol } from '../protocols/protocol.js';
import type { Exchange } from './exchange.js';

export async function sendJson(exchange: Exchange, json: string, delivery: Delivery): Promise<void> {
  await exchange.wait(delivery.latencyMs);
  if (delivery.stall) return exchange.untilClosed();
  if (!exchange.open) return;
  const body = Buffer.from(json);
  exchange.response.writeHead(200, jsonHeaders(body.length));
  if (!delivery.cut) {
    exchange.response.end(body);
    return;
  }
  exchange.response.write(body.subarray(0, Math.floor(body.length / 2)));
  exchange.cut();
}

export function sendError(exchange: Exchange, protocol: Protocol, error: ErrorBehaviour): void {
  if (!exchange.open) return;
  const body = Buffer.from(error.body ?? JSON.stringify(protocol.errorBody(error)));
  exchange.response.writeHead(error.status, {
    ...jsonHeaders(body.length),
    ...(error.body === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' }),
    ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
  });
  exchange.response.end(body);
}

function jsonHeaders(length: number): Record<string, string | number> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
    'x-request-id': `req_${randomUUID()}`,
  };
}
