import { collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
}

/** A process's own registry: Node's figures, and whatever its parts register, each labelled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return { registry };
}
