import { spawnGuarded, type GuardedProcess } from '../processes/guarded-process.js';
import { StackError } from '../stack-error.js';
import { describeExit } from '../stores/early-exit.js';
import { CrashHistory, type RestartPolicy } from './restart-policy.js';
import type { ServiceSpec } from './service-spec.js';

const GRACE_MS = 12_000;

export interface ServiceSurroundings {
  runDir: string;
  policy: RestartPolicy;
  /** Makes what a service printed readable. */
  format: (service: string, line: string) => string;
  print: (text: string) => void;
  /** Whether a line is kept off the screen; it stays among the last lines. */
  isHidden: (line: string) => boolean;
  /** Called once, when the service is given up. */
  onFailure: (error: StackError) => void;
}

/** Keeps one service running until it is stopped, or crashes too quickly too often. */
export class SupervisedService {
  readonly #spec: ServiceSpec;
  readonly #around: ServiceSurroundings;
  readonly #history: CrashHistory;
  readonly #stopping = new AbortController();
  #process: GuardedProcess | undefined;
  #life: Promise<void> | undefined;

  constructor(spec: ServiceSpec, around: ServiceSurroundings) {
    this.#spec = spec;
    this.#around = around;
    this.#history = new CrashHistory(around.policy);
  }

  start(): void {
    this.#life ??= this.#live();
  }

  /** Asks it to stop and waits, by force after the grace period. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#process?.end();
    await this.#life;
  }

  async kill(): Promise<void> {
    this.#stopping.abort();
    await this.#process?.kill('SIGKILL');
  }

  async #live(): Promise<void> {
    while (!this.#isStopping()) {
      const started = Date.now();
      const { what, lines } = await this.#runOnce();
      if (this.#isStopping()) return;
      const delay = this.#history.afterCrash(Date.now() - started);
      if (delay === 'give-up') return this.#giveUp(what, lines);
      this.#around.print(`${this.#spec.name} ${what}; starting it again in ${delay} ms`);
      await this.#pause(delay);
    }
  }

  async #runOnce(): Promise<{ what: string; lines: string[] }> {
    const { name, ...program } = this.#spec;
    try {
      const child = await spawnGuarded({
        ...program,
        label: name,
        role: 'service',
        graceMs: GRACE_MS,
        runDir: this.#around.runDir,
        onLine: (line) => this.#show(line),
      });
      this.#process = child;
      // A stop that came while it was being spawned found no process to end.
      if (this.#isStopping()) await child.end();
      return { what: describeExit(await child.exited), lines: child.lastLines() };
    } catch (error) {
      return { what: `could not be started: ${(error as Error).message}`, lines: [] };
    }
  }

  #show(line: string): void {
    if (!this.#around.isHidden(line)) this.#around.print(this.#around.format(this.#spec.name, line));
  }

  #giveUp(what: string, lines: readonly string[]): void {
    const { name } = this.#spec;
    const crashes = this.#around.policy.quickCrashes;
    const summary = `${name} ${what}, the last of ${crashes} quick crashes; its last lines:`;
    const message = [summary, ...lines.map((line) => this.#around.format(name, line))].join('\n');
    this.#around.onFailure(new StackError(message, 'The lines above say why; correct that and start again.'));
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}
