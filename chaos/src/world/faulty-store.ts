import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningStore, StoreOptions } from '@quire/stack/stores';
import { startTcpProxy, type TcpProxy } from '@quire/testkit/tcp-proxy';
import type { ProcessLedger } from './process-ledger.js';

type Launch = (options: StoreOptions) => Promise<RunningStore>;

/** A store behind a proxy: the services know the proxy alone, so the store can be stopped, restarted and replaced. */
export class FaultyStore {
  private replacements = 0;

  private constructor(
    private readonly launch: Launch,
    private readonly ledger: ProcessLedger,
    private options: StoreOptions,
    private store: RunningStore,
    readonly proxy: TcpProxy,
  ) {}

  static async start(launch: Launch, ledger: ProcessLedger, options: StoreOptions): Promise<FaultyStore> {
    const store = await launch(options);
    ledger.enter(store.name, store.pid);
    return new FaultyStore(launch, ledger, options, store, await startTcpProxy(store.url));
  }

  /** The store's own URL, without the proxy. */
  get url(): string {
    return this.store.url;
  }

  get dataDir(): string {
    return this.options.dataDir;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.store.pid !== undefined) process.kill(this.store.pid, signal);
  }

  async kill(): Promise<void> {
    await this.store.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.store.stop();
  }

  /** Starts the store on the same port with the same data. */
  async start(): Promise<void> {
    this.store = await this.launch({ ...this.options, port: this.store.port });
    this.ledger.enter(this.store.name, this.store.pid);
  }

  /** Replaces the store by an empty one with the same password. */
  async replaceByEmpty(): Promise<void> {
    this.replacements += 1;
    const former = this.store;
    const dataDir = join(this.options.dataDir, `replacement-${this.replacements}`);
    await cp(join(this.options.dataDir, 'secrets'), join(dataDir, 'secrets'), { recursive: true });
    this.options = { ...this.options, dataDir };
    this.store = await this.launch(this.options);
    this.ledger.enter(this.store.name, this.store.pid);
    this.proxy.retarget(this.store.url);
    await former.stop();
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.store.stop();
  }
}
