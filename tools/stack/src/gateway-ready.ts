import { setTimeout as sleep } from 'node:timers/promises';
import { StackError } from './stack-error.js';

const LIMIT_MS = 120_000;
const POLL_MS = 100;
const ANSWER_LIMIT_MS = 5_000;

/** Waits until the gateway is ready and `/health` shows this many workers of each kind. */
export async function untilReady(url: string, workers: Readonly<Record<string, number>>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const lacking = await whatIsLacking(url, workers).catch(
      (error: Error) => `the gateway does not answer (${error.message})`,
    );
    if (!lacking) return;
    if (Date.now() > deadline) {
      throw new StackError(
        `not ready after ${LIMIT_MS / 1000} s: ${lacking}`,
        'The log lines above may say why.',
      );
    }
    await sleep(POLL_MS);
  }
}

async function whatIsLacking(
  url: string,
  workers: Readonly<Record<string, number>>,
): Promise<string | undefined> {
  const ready = await get(`${url}/health/ready`);
  await ready.body?.cancel();
  if (!ready.ok) return `/health/ready answers ${ready.status}`;
  const health = (await (await get(`${url}/health`)).json()) as { workers?: Record<string, number> };
  const missing = Object.entries(workers).filter(([name, count]) => (health.workers?.[name] ?? 0) < count);
  if (missing.length === 0) return undefined;
  return `/health does not show ${missing.map(([name, count]) => `${count} × ${name}`).join(' and ')}`;
}

/**
 * Whether callers need an API key. Requests an address that does not exist, which needs no store; false if there is no
 * response, since only the greeting depends on it.
 */
export async function asksForKeys(url: string): Promise<boolean> {
  const answer = await get(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 401;
}

function get(url: string): Promise<Response> {
  // Idle connections would delay the stop of the gateway.
  return fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
}
