import { spawnGuarded, type GuardedProcess } from '../processes/guarded-process.js';
import { StackError } from '../stack-error.js';
import { describeExit } from '../stores/early-exit.js';
import type { RunningStore } from '../stores/running-store.js';
import { DEFAULT_RESTART_POLICY, type RestartPolicy } from './restart-policy.js';
import { isRoutineLine } from './routine-line.js';
import type { ServiceSpec } from './service-spec.js';
import { SupervisedService } from './supervised-service.js';

export interface SupervisorOptions {
  runDir: string;
  format: (service: string, line: string) => string;
  print: (text: string) => void;
  policy?: RestartPolicy;
}

/** Owns every process of a stack: starts them in the order asked for, and stops services before stores. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #services: SupervisedService[] = [];
  readonly #stores: RunningStore[] = [];
  #storesStarting: Promise<unknown> = Promise.resolve();
  #job: GuardedProcess | undefined;
  #jobIsDrawing = false;
  #stopped: Promise<void> | undefined;
  #fail: (error: StackError) => void = () => {};

  /** The first failure that no restart fixes: a dead store, or a service that was given up. */
  readonly failure = new Promise<StackError>((resolve) => (this.#fail = resolve));

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  async startStores<T extends { all: readonly RunningStore[] }>(start: () => Promise<T>): Promise<T> {
    this.#refuseWhenStopping();
    const starting = start().then((stores) => {
      for (const store of stores.all) this.#adopt(store);
      return stores;
    });
    this.#storesStarting = starting.catch(() => {});
    return await starting;
  }

  startService(spec: ServiceSpec): void {
    this.#refuseWhenStopping();
    const service = new SupervisedService(spec, {
      ...this.#options,
      policy: this.#options.policy ?? DEFAULT_RESTART_POLICY,
      isHidden: (line) => this.#jobIsDrawing && isRoutineLine(line),
      onFailure: (error) => this.#fail(error),
    });
    this.#services.push(service);
    service.start();
  }

  /** Runs a program to its end on our own terminal, where it may draw its progress. Rejects when it fails. */
  async runJob({ name, ...program }: ServiceSpec): Promise<void> {
    this.#refuseWhenStopping();
    const { runDir } = this.#options;
    this.#jobIsDrawing = true;
    this.#job = await spawnGuarded({ ...program, label: name, role: 'service', runDir, output: 'inherit' });
    const exit = await this.#job.exited;
    this.#jobIsDrawing = false;
    if (exit.code !== 0) throw new StackError(`${name} ${describeExit(exit)}`, 'The lines above say why.');
  }

  /** Idempotent; resolves when nothing of ours runs any more. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  /** Ends everything at once, for a second Ctrl-C. */
  async kill(): Promise<void> {
    this.#stopped ??= Promise.resolve();
    const ours = this.#stores.filter((store) => store.origin !== 'external');
    await Promise.all([this.#job?.kill(), ...[...this.#services, ...ours].map((owned) => owned.kill())]);
  }

  async #stop(): Promise<void> {
    await Promise.all([this.#job?.end(), ...this.#services.map((service) => service.stop())]);
    await this.#storesStarting;
    await Promise.all(this.#stores.map((store) => store.stop()));
  }

  #adopt(store: RunningStore): void {
    this.#stores.push(store);
    void this.#failWith(store);
  }

  async #failWith(store: RunningStore): Promise<void> {
    const exit = await store.exited;
    if (this.#stopped) return;
    const lines = store.lastLogLines().map((line) => `  ${line}`);
    this.#fail(
      new StackError(
        [`${store.name} ${describeExit(exit)}; its last lines:`, ...lines].join('\n'),
        'Services cannot run without it. Start again: the data is kept.',
      ),
    );
  }

  #refuseWhenStopping(): void {
    if (this.#stopped) throw new Error('the stack is stopping');
  }
}
