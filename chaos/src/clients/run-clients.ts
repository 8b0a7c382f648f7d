import { seededRandom, type Random } from '@quire/testkit/random';
import { planQuestion } from '../questions/plan-question.js';
import { RUN_DEADLINE_MS } from '../world/start-world.js';
import { Asking } from './asking.js';
import { newView, type ClientView } from './client-view.js';
import { askAs } from './question-kinds.js';

/** A run ends by its deadline; a refused question is accepted later than it was asked. */
const LIMIT_MS = RUN_DEADLINE_MS + 30_000;

export interface Load {
  gatewayUrls: readonly [string, string];
  clients: number;
  seed: number;
  /** Once it fires, clients finish their questions and ask no others. */
  over: AbortSignal;
}

/** Runs clients that ask one question after the other; returns their views. */
export async function runClients({ gatewayUrls, clients, seed, over }: Load): Promise<ClientView[]> {
  const views: ClientView[] = [];
  const client = async (index: number) => {
    const random = seededRandom(seed + index + 1);
    while (!over.aborted) views.push(await askOne(gatewayUrls, random));
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return views;
}

async function askOne(gatewayUrls: readonly [string, string], random: Random): Promise<ClientView> {
  const { kind, token, sessionId, idempotencyKey } = planQuestion(random);
  const view = newView(kind, token, sessionId, Date.now());
  const limit = AbortSignal.timeout(LIMIT_MS);
  const asking = new Asking({ view, gatewayUrls, limit, random, idempotencyKey });
  try {
    await askAs[kind](asking);
  } catch (error) {
    if (!limit.aborted) throw error;
    view.hungAt = asking.waitingFor;
  }
  view.endedAt = Date.now();
  return view;
}
