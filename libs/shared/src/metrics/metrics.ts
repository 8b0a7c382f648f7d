import { collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
}

/** The registry of a process, with Node's metrics, labelled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return { registry };
}
