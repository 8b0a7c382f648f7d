import type { Health } from '@quire/shared/contracts';
import type { ModelHealth } from '@quire/shared/models';

export type ModelsHealth = Health['models'];

/** The status of the model chain, from the circuit breakers of its models. */
export function judgeModels(chain: readonly ModelHealth[] | undefined): ModelsHealth {
  return { status: statusOf(chain), chain: [...(chain ?? [])] };
}

/** A chain without models is a choice: answers consist of their sources. */
export const modelsAreWell = ({ status }: ModelsHealth): boolean =>
  status === 'ok' || status === 'not_configured';

function statusOf(chain: readonly ModelHealth[] | undefined): ModelsHealth['status'] {
  if (!chain) return 'unknown';
  const [first] = chain;
  if (!first) return 'not_configured';
  if (first.state === 'closed') return 'ok';
  if (chain.some(({ state }) => state === 'closed')) return 'degraded';
  // Only an operator can correct a configuration; an outage passes.
  return chain.some(({ reason }) => reason === 'misconfigured') ? 'misconfigured' : 'unavailable';
}
