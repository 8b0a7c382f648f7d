import type { Health } from '@quire/shared/contracts';
import type { ModelHealth } from '@quire/shared/models';

export type ModelsHealth = Health['models'];

/** What the breakers of a chain say of the answers as a whole. */
export function judgeModels(chain: readonly ModelHealth[] | undefined): ModelsHealth {
  return { status: statusOf(chain), chain: [...(chain ?? [])] };
}

/** Without a key answers are sources by choice; everything else but `ok` is a fault. */
export const modelsAreWell = ({ status }: ModelsHealth): boolean =>
  status === 'ok' || status === 'not_configured';

function statusOf(chain: readonly ModelHealth[] | undefined): ModelsHealth['status'] {
  if (!chain) return 'unknown';
  const [first] = chain;
  if (!first) return 'not_configured';
  if (first.state === 'closed') return 'ok';
  if (chain.some(({ state }) => state === 'closed')) return 'degraded';
  // What only a person can mend is worth more notice than what passes.
  return chain.some(({ reason }) => reason === 'misconfigured') ? 'misconfigured' : 'unavailable';
}
