import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createMetrics } from './metrics.js';
import { serveMetrics, type MetricsServer } from './serve-metrics.js';

const HOST = '127.0.0.1';

describe('the metrics of a process', () => {
  const { registry } = createMetrics('some-service');
  let server: MetricsServer;
  const fetchFrom = (path: string, init?: RequestInit) => fetch(`http://${HOST}:${server.port}${path}`, init);

  beforeEach(async () => {
    server = await serveMetrics(registry, { port: 0, host: HOST });
    onTestFinished(() => server.close());
  });

  it('are served in the text format, with those of Node, labelled with the service', async () => {
    const response = await fetchFrom('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await response.text()).toMatch(/^nodejs_version_info\{.*service="some-service".*\} 1$/m);
  });

  it.each([
    ['/', 'GET'],
    ['/metrics/other', 'GET'],
    ['/metrics', 'POST'],
  ])('are all there is: %s by %s is not found', async (path, method) => {
    expect((await fetchFrom(path, { method })).status).toBe(404);
  });

  it('are kept apart from those of another service in the same process', async () => {
    const other = await createMetrics('other-service').registry.metrics();
    expect(other).toContain('service="other-service"');
    expect(other).not.toContain('some-service');
  });

  it('are gone after the server has closed, even when it is closed again', async () => {
    await fetchFrom('/metrics');
    await Promise.all([server.close(), server.close()]);
    await server.close();
    await expect(fetchFrom('/metrics')).rejects.toThrow('fetch failed');
  });

  it('cannot be served on a port that is taken, and that is told', async () => {
    await expect(serveMetrics(registry, { port: server.port, host: HOST })).rejects.toThrow('EADDRINUSE');
  });
});
