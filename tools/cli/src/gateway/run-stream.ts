import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminalType, runEventSchema, type ChatRequestBody, type RunEvent } from '@quire/shared/contracts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { CommandFailure } from '../command-failure.js';
import type { GatewayClient } from './gateway-client.js';
import { GatewayRefusal } from './gateway-failure.js';

export interface ResumePolicy {
  /** Waits before successive retries without a new event. */
  backoffMs: readonly number[];
  /** After this long without a heartbeat, sent every 15 s, the connection is dead. */
  silenceMs: number;
}

export const defaultResumePolicy: ResumePolicy = {
  backoffMs: [100, 500, 1000, 2000, 4000, 8000],
  silenceMs: 40_000,
};

export interface OpenRun {
  requestId: string;
  /** The run's events until its terminal one, across broken connections. */
  events(signal: AbortSignal): AsyncGenerator<RunEvent, void, void>;
}

export type Question = Partial<ChatRequestBody> & { message: string };

/** Asks a question. Resolves when the gateway has accepted it: the run exists. */
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
  for (let retries = 0; ; retries += 1) {
    for await (const message of connection ? messagesOf(connection, silenceMs, signal) : []) {
      retries = 0;
      position = message.id ?? position;
      const event = readEvent(message);
      if (event) yield event;
      if (event && isTerminalType(event.type)) return;
    }
    signal.throwIfAborted();
    const wait = backoffMs[retries];
    if (wait === undefined) throw connectionLost(requestId);
    await sleep(wait, undefined, { signal });
    connection = await resume(gateway, requestId, position, signal);
  }
}

/** Undefined when the gateway cannot serve the stream now. */
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

/** The messages of one connection, until it ends, breaks or is silent for too long. */
async function* messagesOf(
  response: Response,
  silenceMs: number,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage, void, void> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const disconnect = () => void reader.cancel().catch(() => {});
  const silence = setTimeout(disconnect, silenceMs);
  signal.addEventListener('abort', disconnect);
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
    // The stream is resumed over another connection.
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', disconnect);
    disconnect();
  }
}

/** Undefined for unknown types of events; an unreadable terminal event is an error. */
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

function connectionLost(requestId: string): CommandFailure {
  return new CommandFailure(
    `The connection to Quire was lost and could not be restored. The run goes on: request ${requestId}.`,
  );
}
