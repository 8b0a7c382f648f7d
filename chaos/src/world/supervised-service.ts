import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnGuarded, type GuardedProcess } from '@quire/stack/processes';
import { REPOSITORY } from '../repository.js';
import type { ProcessLedger } from './process-ledger.js';

export interface ServiceSpec {
  label: string;
  service: 'gateway' | 'agent-worker' | 'retrieval-worker';
  env: Record<string, string>;
  folder: string;
  logFolder: string;
  ledger: ProcessLedger;
  /** Called with each line of its log. */
  onLine?(line: string): void;
}

/** An exit that this test world did not cause. */
export interface UnexpectedEnd {
  label: string;
  /** Signal or exit code. */
  how: string;
  lastLines: string[];
}

const RESTART_AFTER_MS = 1000;
const READY_LIMIT_MS = 60_000;
const READY_POLL_MS = 50;
/** A service stops within 11 s. */
const GRACE_MS = 13_000;

/** A built service in a separate process that is restarted whenever it ends. */
export class SupervisedService {
  readonly unexpectedEnds: UnexpectedEnd[] = [];
  private process: GuardedProcess | undefined;
  private isReady = false;
  private isStopping = false;
  private endExpected = false;
  private restartAfterMs = RESTART_AFTER_MS;
  private supervising: Promise<void> | undefined;

  constructor(private readonly spec: ServiceSpec) {}

  start(): void {
    this.supervising ??= this.supervise();
    // Rejects the promise that waits for the service to be ready.
    this.supervising.catch(() => {});
  }

  /** Resolves when the current process, or the one that replaces it, is ready. */
  async ready(): Promise<void> {
    const deadline = Date.now() + READY_LIMIT_MS;
    while (!this.isReady) {
      if (Date.now() > deadline) {
        const lines = this.process?.lastLines().join('\n') ?? '';
        throw new Error(`${this.spec.label} has not started:\n${lines}`);
      }
      await sleep(READY_POLL_MS);
    }
  }

  async kill(): Promise<void> {
    this.endExpected = true;
    await this.process?.kill('SIGKILL');
  }

  freeze(): void {
    this.signal('SIGSTOP');
  }

  thaw(): void {
    this.signal('SIGCONT');
  }

  /** Sends SIGTERM; a new process starts when the old one has drained. */
  async restart(): Promise<void> {
    this.endExpected = true;
    this.restartAfterMs = 0;
    await this.process?.end();
    this.isReady = false;
    await this.ready();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.endExpected = true;
    await this.process?.end();
    await this.supervising;
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.process) process.kill(this.process.pid, signal);
  }

  private async supervise(): Promise<void> {
    const log = createWriteStream(join(this.spec.logFolder, `${this.spec.label}.log`));
    while (!this.isStopping) {
      const running = await this.spawn((line) => {
        log.write(`${line}\n`);
        this.spec.onLine?.(line);
      });
      this.process = running;
      const { code, signal } = await running.exited;
      this.isReady = false;
      const how = String(signal ?? code);
      log.write(`--- ended with ${how}\n`);
      if (!this.endExpected) {
        this.unexpectedEnds.push({ label: this.spec.label, how, lastLines: running.lastLines() });
      }
      if (!this.isStopping) await sleep(this.restartAfterMs);
      this.endExpected = this.isStopping;
      this.restartAfterMs = RESTART_AFTER_MS;
    }
    log.end();
  }

  private async spawn(onLine: (line: string) => void): Promise<GuardedProcess> {
    const { label, service, env, folder, ledger } = this.spec;
    const running = await spawnGuarded({
      label,
      role: 'service',
      command: process.execPath,
      args: [`services/${service}/dist/main.js`],
      cwd: REPOSITORY,
      env,
      runDir: join(folder, 'run'),
      graceMs: GRACE_MS,
      onLine: (line) => {
        if (line.includes('"message":"Started"')) this.isReady = true;
        onLine(line);
      },
    });
    ledger.enter(label, running.pid);
    return running;
  }
}
