import type { Cancellation, ChatResponse, RunEvent } from '@quire/shared/contracts';
import { CommandFailure } from '../command-failure.js';
import { counted } from '../counted.js';
import type { GatewayClient } from '../gateway/gateway-client.js';
import { refusalText } from '../gateway/gateway-failure.js';
import { openRun, type OpenRun, type Question } from '../gateway/run-stream.js';
import type { Terminal } from '../terminal.js';
import type { AnswerView } from './answer-view.js';

/** How long a question that is being sent is waited for after Ctrl-C: a run can be cancelled once it is accepted. */
const ACCEPTANCE_LIMIT_MS = 3000;

export interface Asking {
  gateway: GatewayClient;
  terminal: Terminal;
  view: AnswerView;
  /** Cancels the run. */
  signal: AbortSignal;
}

/** Asks and shows the answer; returns undefined when the user has cancelled the run. */
export async function askQuestion(asking: Asking, question: Question): Promise<ChatResponse | undefined> {
  const { gateway, terminal, view, signal } = asking;
  const run = await accepted(gateway, question, signal);
  if (!run) return undefined;
  try {
    for await (const event of run.events(signal)) {
      if (event.type === 'completed') {
        view.complete(event.data);
        return event.data;
      }
      view.follow(event);
      throwIfEnded(event);
    }
    return undefined;
  } catch (error) {
    view.abandon();
    if (!signal.aborted) throw error;
    terminal.note(`${await cancel(gateway, run.requestId)}\n`);
    return undefined;
  }
}

async function accepted(
  gateway: GatewayClient,
  question: Question,
  signal: AbortSignal,
): Promise<OpenRun | undefined> {
  const patience = new AbortController();
  const startLimit = () => setTimeout(() => patience.abort(), ACCEPTANCE_LIMIT_MS).unref();
  signal.addEventListener('abort', startLimit);
  try {
    return await openRun(gateway, question, patience.signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    signal.removeEventListener('abort', startLimit);
  }
}

function throwIfEnded(event: RunEvent): void {
  if (event.type === 'cancelled') {
    const spent = counted(event.data.tokens_used.total, 'token');
    throw new CommandFailure(`The run was cancelled by another client (${spent}).`);
  }
  if (event.type !== 'failed') return;
  const { error_code: code, message, request_id: requestId, retry_after: retryAfterSeconds } = event.data;
  throw new CommandFailure(refusalText({ code, message, requestId, retryAfterSeconds }));
}

async function cancel(gateway: GatewayClient, requestId: string): Promise<string> {
  try {
    return cancelText(await gateway.cancel(requestId));
  } catch {
    return 'The run could not be cancelled: it goes on until it has ended.';
  }
}

export function cancelText(cancellation: Cancellation): string {
  if (cancellation.state === 'cancelling') return 'Cancelling: the worker has not confirmed yet.';
  if (cancellation.state === 'failed') return 'Too late to cancel: the run had failed.';
  const spent = counted(cancellation.tokens_used.total, 'token');
  if (cancellation.state === 'completed') return `Too late to cancel: the run had completed (${spent}).`;
  return `Cancelled (${spent}).`;
}
