import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../logging/index.js';
import { createRegistry } from './metrics.js';
import { serveConfiguredMetrics } from './serve-configured-metrics.js';

const registry = createRegistry('some-service');
const logger = createLogger('test', 'silent');
const METRICS_HOST = '127.0.0.1';

it('without METRICS_PORT no metrics are served', async () => {
  expect(await serveConfiguredMetrics(registry, { METRICS_HOST }, logger)).toBeUndefined();
});

it('a METRICS_PORT that is in use does not stop the process', async () => {
  const other = createServer().listen(0, METRICS_HOST);
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const METRICS_PORT = (other.address() as AddressInfo).port;
  expect(await serveConfiguredMetrics(registry, { METRICS_HOST, METRICS_PORT }, logger)).toBeUndefined();
});
