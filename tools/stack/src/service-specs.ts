import { join } from 'node:path';
import type { GatewayAddress } from './gateway-port.js';
import type { ServiceSpec } from './supervisor/service-spec.js';

export type ServiceName = 'gateway' | 'retrieval-worker' | 'agent-worker';

/** How the three services and the command line are run from a checkout. */
export class ServiceSpecs {
  readonly #repository: string;
  readonly #env: NodeJS.ProcessEnv;

  /** `env`: the user's, with the addresses of the stores in it. */
  constructor(repository: string, env: NodeJS.ProcessEnv) {
    this.#repository = repository;
    // PORT is the gateway's alone.
    const { PORT: _, ...rest } = env;
    this.#env = rest;
  }

  gateway({ host, port }: GatewayAddress): ServiceSpec {
    return this.#node('gateway', [this.#entry('gateway')], { HOST: host, PORT: String(port) });
  }

  workers(service: Exclude<ServiceName, 'gateway'>, count: number): ServiceSpec[] {
    return Array.from({ length: count }, (_, index) =>
      this.#node(count === 1 ? service : `${service}-${index + 1}`, [this.#entry(service)]),
    );
  }

  commandLine(name: string, args: readonly string[]): ServiceSpec {
    return this.#node(name, [join(this.#repository, 'tools/cli/bin/quire.js'), ...args]);
  }

  #entry(service: ServiceName): string {
    return join(this.#repository, 'services', service, 'dist/main.js');
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
