import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@quire/testkit/random';
import { parseRetryAfter } from '@quire/shared/errors';
import { isRefusal } from '../verdict/refusal.js';
import type { ClientView } from './client-view.js';
import { jsonIn } from './read-ending.js';

const LONGEST_RETRY_AFTER_S = 1;
const RECONNECT_MS = 200;

export interface AskingOptions {
  view: ClientView;
  gatewayUrls: readonly [string, string];
  /** Fires when the question's limit has passed. */
  limit: AbortSignal;
  random: Random;
  idempotencyKey: string;
}

/** One question: what its client knows, and the calls it makes until the question has ended. */
export class Asking {
  readonly view: ClientView;
  readonly random: Random;
  readonly limit: AbortSignal;
  /** The pending call, reported if the limit passes. */
  waitingFor = 'nothing yet';
  private readonly body: string;
  private readonly refusedIds = new Set<string>();
  private gateway: number;

  constructor(private readonly options: AskingOptions) {
    const { view, random, limit } = options;
    this.view = view;
    this.random = random;
    this.limit = limit;
    this.gateway = random.integer(2);
    const message = `How do ROS 2 nodes exchange messages on topics? ${view.token}`;
    this.body = JSON.stringify({
      message,
      session_id: view.sessionId,
      ...(view.kind === 'leave' && { on_disconnect: 'cancel' }),
    });
  }

  /** Sends the question until it is accepted; returns undefined if an error response is its outcome. */
  async ask(
    path: string,
    headers: Record<string, string> = {},
    cut?: AbortSignal,
  ): Promise<Response | undefined> {
    for (;;) {
      const response = await this.call(path, {
        method: 'POST',
        body: this.body,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': this.options.idempotencyKey,
          ...headers,
        },
        ...(cut && { cut }),
      });
      if (response?.ok) return response;
      if (response && (await this.endsQuestion(response))) return undefined;
      if (!response) await this.changeGateway();
    }
  }

  /** Returns undefined if there was no response; throws when the limit has passed. */
  async call(
    path: string,
    { cut, ...init }: RequestInit & { cut?: AbortSignal } = {},
  ): Promise<Response | undefined> {
    this.waitingFor = `${init.method ?? 'GET'} ${path}`;
    const signal = cut ? AbortSignal.any([this.limit, cut]) : this.limit;
    try {
      return await fetch(`${this.options.gatewayUrls[this.gateway]}${path}`, { ...init, signal });
    } catch {
      this.limit.throwIfAborted();
      this.view.wasCut = true;
      return undefined;
    }
  }

  async changeGateway(): Promise<void> {
    this.gateway = 1 - this.gateway;
    await this.pause(RECONNECT_MS);
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.limit });
  }

  /** Records the id of a run that a response or an event names. */
  addRunId(runId: string): void {
    if (!this.view.runIds.includes(runId)) this.view.runIds.push(runId);
  }

  /** Whether an error response is the question's outcome. If not, waits until it can be sent again. */
  private async endsQuestion(response: Response): Promise<boolean> {
    const error = await jsonIn<{ error_code: string; request_id: string }>(response);
    const { error_code: code, request_id: id } = error ?? {};
    if (code === undefined) {
      await this.changeGateway();
      return false;
    }
    const isRepeated = id !== undefined && this.refusedIds.has(id);
    // A refusal names a request that became no run; a second one with the same id is the outcome of a run.
    if ((response.status === 429 || isRefusal(code)) && !isRepeated) {
      this.view.refusals[code] = (this.view.refusals[code] ?? 0) + 1;
      if (id !== undefined) this.refusedIds.add(id);
      const seconds = parseRetryAfter(response.headers.get('retry-after')) ?? LONGEST_RETRY_AFTER_S;
      await this.pause(Math.min(seconds, LONGEST_RETRY_AFTER_S) * 1000);
      this.gateway = 1 - this.gateway;
      return false;
    }
    if (response.status < 500 && code !== 'CANCELLED')
      this.view.unexpected.push(`POST ${response.status} ${code}`);
    else
      this.view.responseEndings.push(code === 'CANCELLED' ? { type: 'cancelled' } : { type: 'failed', code });
    // A defect of the gateway itself names a request, not a run.
    if (id !== undefined && code !== 'INTERNAL') this.addRunId(id);
    return true;
  }
}
