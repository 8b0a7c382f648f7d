import { join } from 'node:path';
import type { GatewayAddress } from './gateway-port.js';
import type { ServiceSpec } from './supervisor/service-spec.js';

const SERVICES = ['gateway', 'agent-worker', 'retrieval-worker'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** How the three services and the command line are run from a checkout. */
export class ServiceSpecs {
  readonly #repository: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #ports: NodeJS.ProcessEnv;
  #workers = 0;

  /** `env`: the user's, with the addresses of the stores in it. */
  constructor(repository: string, env: NodeJS.ProcessEnv) {
    this.#repository = repository;
    // PORT is the gateway's alone.
    const { PORT, ...rest } = env;
    this.#env = rest;
    this.#ports = { PORT };
  }

  gateway({ host, port }: GatewayAddress): ServiceSpec {
    return this.#node('gateway', [this.#entry('gateway')], { HOST: host, PORT: String(port) });
  }

  workers(service: Exclude<ServiceName, 'gateway'>, count: number): ServiceSpec[] {
    return Array.from({ length: count }, (_, index) =>
      this.#node(
        count === 1 ? service : `${service}-${index + 1}`,
        [this.#entry(service)],
        this.#nextMetricsPort(),
      ),
    );
  }

  /** Programs that list the problems in the environment of each service and exit. */
  configurationChecks(): ServiceSpec[] {
    return SERVICES.map((service) =>
      this.#node(service, [this.#entry(service, 'check-config')], service === 'gateway' ? this.#ports : {}),
    );
  }

  commandLine(name: string, args: readonly string[]): ServiceSpec {
    return this.#node(name, [join(this.#repository, 'tools/cli/bin/quire.js'), ...args]);
  }

  /** All processes share one host: the gateway serves its metrics at METRICS_PORT, each worker at the next port. */
  #nextMetricsPort(): NodeJS.ProcessEnv {
    const port = Number(this.#env.METRICS_PORT);
    if (!port) return {};
    this.#workers += 1;
    return { METRICS_PORT: String(port + this.#workers) };
  }

  #entry(service: ServiceName, program = 'main'): string {
    return join(this.#repository, 'services', service, 'dist', `${program}.js`);
  }

  #node(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ServiceSpec {
    return {
      name,
      command: process.execPath,
      args: ['--enable-source-maps', ...args],
      cwd: this.#repository,
      env: { ...this.#env, ...env },
    };
  }
}
