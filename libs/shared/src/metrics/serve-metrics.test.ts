import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createRegistry } from './metrics.js';
import { serveMetrics, type MetricsServer } from './serve-metrics.js';

const HOST = '127.0.0.1';

const registry = createRegistry('some-service');
let server: MetricsServer;
const fetchFrom = (path: string, init?: RequestInit) => fetch(`http://${HOST}:${server.port}${path}`, init);

beforeEach(async () => {
  server = await serveMetrics(registry, { port: 0, host: HOST });
  onTestFinished(() => server.close());
});

it('metrics are served as text, with those of Node, labelled with the service', async () => {
  const response = await fetchFrom('/metrics');
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toMatch(/^nodejs_version_info\{.*service="some-service".*\} 1$/m);
});

it.each([
  ['/', 'GET'],
  ['/metrics/other', 'GET'],
  ['/metrics', 'POST'],
])('the metrics server responds 404 to %s by %s', async (path, method) => {
  expect((await fetchFrom(path, { method })).status).toBe(404);
});

it('two services in one process have separate metrics', async () => {
  const other = await createRegistry('other-service').metrics();
  expect(other).toContain('service="other-service"');
  expect(other).not.toContain('some-service');
});

it('a closed metrics server serves nothing, and can be closed again', async () => {
  await fetchFrom('/metrics');
  await Promise.all([server.close(), server.close()]);
  await server.close();
  await expect(fetchFrom('/metrics')).rejects.toThrow('fetch failed');
});

it('serving metrics on a port that is in use rejects', async () => {
  await expect(serveMetrics(registry, { port: server.port, host: HOST })).rejects.toThrow('EADDRINUSE');
});
