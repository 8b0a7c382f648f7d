import type { Registry } from 'prom-client';
import type { Logger } from '../logging/index.js';
import { serveMetrics, type MetricsServer } from './serve-metrics.js';

export interface MetricsAddress {
  METRICS_HOST: string;
  METRICS_PORT?: number | undefined;
}

/** Serves a process's metrics on METRICS_PORT, if it is set. A port that is in use does not stop the process. */
export async function serveConfiguredMetrics(
  registry: Registry,
  { METRICS_HOST: host, METRICS_PORT: port }: MetricsAddress,
  logger: Logger,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  try {
    const server = await serveMetrics(registry, { host, port });
    logger.info({ host, port: server.port }, 'Metrics are served');
    return server;
  } catch (error) {
    logger.error({ error, host, port }, 'Metrics are not served: set another METRICS_PORT');
    return undefined;
  }
}
