import type { ModelHealth } from '@quire/shared/models';
import { expect, it } from 'vitest';
import { judgeModels, modelsAreWell, type ModelsHealth } from './models-health.js';

const closed: ModelHealth = { model: 'm', state: 'closed' };
const away: ModelHealth = { model: 'm', state: 'open', reason: 'unavailable' };
const probing: ModelHealth = { model: 'm', state: 'half_open', reason: 'unavailable' };
const limited: ModelHealth = { model: 'm', state: 'open', reason: 'rate_limited' };
const wrong: ModelHealth = { model: 'm', state: 'half_open', reason: 'misconfigured' };

it.each<[ModelsHealth['status'], well: boolean, chain: ModelHealth[] | undefined]>([
  ['unknown', false, undefined],
  ['not_configured', true, []],
  ['ok', true, [closed]],
  ['ok', true, [closed, wrong]],
  ['degraded', false, [away, closed]],
  ['degraded', false, [wrong, limited, closed]],
  ['unavailable', false, [away]],
  ['unavailable', false, [limited, probing]],
  ['misconfigured', false, [wrong, wrong]],
  ['misconfigured', false, [away, wrong]],
])('the status %s (healthy: %s) follows from the chain %j', (status, well, chain) => {
  const health = judgeModels(chain);
  expect(health).toEqual({ status, chain: chain ?? [] });
  expect(modelsAreWell(health)).toBe(well);
});
