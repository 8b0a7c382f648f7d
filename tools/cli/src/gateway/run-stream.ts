import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminalType, runEventSchema, type ChatRequestBody, type RunEvent } from '@quire/shared/contracts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { CommandFailure } from '../command-failure.js';
import type { GatewayClient } from './gateway-client.js';
import { GatewayRefusal } from './gateway-failure.js';

export interface ResumePolicy {
  /** Waits before the tries that follow each other without a new event. */
  backoffMs: readonly number[];
  /** A gateway sends a heartbeat every 15 s: after this long the connection is dead. */
  silenceMs: number;
}

export const defaultResumePolicy: ResumePolicy = {
  backoffMs: [100, 500, 1000, 2000, 4000, 8000],
  silenceMs: 40_000,
};

export interface OpenRun {
  requestId: string;
  /** The run's events until its end, across connections that break. */
  events(signal: AbortSignal): AsyncGenerator<RunEvent, void, void>;
}

export type Question = Partial<ChatRequestBody> & { message: string };

/** Asks a question. Resolves when the gateway has accepted it; from then on the run exists. */
export async function openRun(
  gateway: GatewayClient,
  question: Question,
  signal: AbortSignal,
  policy = defaultResumePolicy,
): Promise<OpenRun> {
  const first = await gateway.call('chat/stream', { method: 'POST', body: question, signal });
  const requestId = first.headers.get('x-request-id') ?? '';
  return { requestId, events: (ended) => follow(gateway, requestId, first, policy, ended) };
}

async function* follow(
  gateway: GatewayClient,
  requestId: string,
  first: Response,
  { backoffMs, silenceMs }: ResumePolicy,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, void> {
  let position = '';
  let connection: Response | undefined = first;
  signal.throwIfAborted();
  for (let fruitless = 0; ; fruitless += 1) {
    for await (const message of connection ? messagesOf(connection, silenceMs, signal) : []) {
      fruitless = 0;
      position = message.id ?? position;
      const event = readEvent(message);
      if (event) yield event;
      if (event && isTerminalType(event.type)) return;
    }
    signal.throwIfAborted();
    const wait = backoffMs[fruitless];
    if (wait === undefined) throw lost(requestId);
    await sleep(wait, undefined, { signal });
    connection = await resume(gateway, requestId, position, signal);
  }
}

/** Nothing when the gateway cannot give the stream just now. */
async function resume(
  gateway: GatewayClient,
  requestId: string,
  position: string,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const headers = { accept: 'text/event-stream', ...(position && { 'last-event-id': position }) };
  try {
    return await gateway.call(`chat/${requestId}/stream`, { headers, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GatewayRefusal && error.status < 500 && error.status !== 429) throw error;
    return undefined;
  }
}

/** The messages of one connection; when it breaks or falls silent they end as they do at its end. */
async function* messagesOf(
  response: Response,
  silenceMs: number,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage, void, void> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  const silence = setTimeout(leave, silenceMs);
  signal.addEventListener('abort', leave);
  const decoder = new TextDecoder();
  const received: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => received.push(message) });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      silence.refresh();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* received.splice(0);
    }
  } catch {
    // The run goes on without the connection.
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', leave);
    leave();
  }
}

/** Events of kinds that are not known are left out; an end that cannot be read is told. */
function readEvent({ event, data }: EventSourceMessage): RunEvent | undefined {
  const parsed = runEventSchema.safeParse({ type: event, data: jsonIn(data) });
  if (parsed.success) return parsed.data;
  if (!isTerminalType(event ?? '')) return undefined;
  throw new CommandFailure('The gateway ended the run in a way that this quire does not understand.');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lost(requestId: string): CommandFailure {
  return new CommandFailure(
    `The connection to Quire was lost and does not come back. The run goes on there: request ${requestId}.`,
  );
}
