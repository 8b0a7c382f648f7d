import { expect, it } from 'vitest';
import { ServiceSpecs } from './service-specs.js';

const metricsPorts = (env: NodeJS.ProcessEnv) => {
  const specs = new ServiceSpecs('/repository', env);
  return [
    ...specs.workers('retrieval-worker', 2),
    ...specs.workers('agent-worker', 1),
    specs.gateway({ host: '127.0.0.1', port: 8787, url: 'http://127.0.0.1:8787' }),
  ].map(({ name, env: { METRICS_PORT } }) => [name, METRICS_PORT]);
};

it('each process of a host gets its own metrics port', () => {
  expect(metricsPorts({ METRICS_PORT: '9400' })).toEqual([
    ['retrieval-worker-1', '9401'],
    ['retrieval-worker-2', '9402'],
    ['agent-worker', '9403'],
    ['gateway', '9400'],
  ]);
});

it.each(['', '0'])('METRICS_PORT=%s is passed unchanged to each process', (port) => {
  expect(metricsPorts({ METRICS_PORT: port }).map(([, given]) => given)).toEqual(Array(4).fill(port));
});
