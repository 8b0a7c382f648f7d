import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GenericContainer,
  getContainerRuntimeClient,
  getReaper,
  LABEL_TESTCONTAINERS_SESSION_ID,
  type StartedTestContainer,
} from 'testcontainers';
import { EarlyExit } from '../early-exit.js';
import { freePorts } from '../free-port.js';
import { forEachLine, RecentLines } from '../../processes/recent-lines.js';
import type { StackError } from '../../stack-error.js';
import type { RunningStore, StoreName, StoreOptions } from '../running-store.js';
import { storeSecret } from '../store-secret.js';
import type { StoreContainer } from './store-container.js';

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 10_000;
const PROBE_EVERY_MS = 100;

interface Readiness {
  probe: () => Promise<void>;
  refusal: (error: unknown) => StackError | undefined;
  recent: RecentLines;
}

/** testcontainers publishes ports on every interface; these stores are for this machine only. */
class LoopbackContainer extends GenericContainer {
  protected override async beforeContainerCreated(): Promise<void> {
    const bindings = (this.hostConfig.PortBindings ?? {}) as Record<string, { HostIp?: string }[]>;
    if (process.env.DOCKER_HOST?.startsWith('tcp:')) return;
    for (const binding of Object.values(bindings).flat()) binding.HostIp = '127.0.0.1';
  }
}

/** Runs the store's official image; the reaper of testcontainers removes the container when this process is gone. */
export async function launchContainer(
  container: StoreContainer,
  options: StoreOptions,
): Promise<RunningStore> {
  const keyless = container.takesApiKey && options.withoutQdrantKey;
  const secret = keyless ? '' : await storeSecret(options.dataDir, container.name);
  const port = options.port ?? (await freePorts(1))[0] ?? 0;
  const recent = new RecentLines();
  const volume = await volumeFor(container, options);
  const started = await new LoopbackContainer(container.image)
    .withExposedPorts({ container: container.port, host: port })
    .withBindMounts([{ source: volume, target: container.dataPath }])
    .withEnvironment(container.environment(secret))
    .withCommand([...container.command])
    .withStartupTimeout(START_LIMIT_MS)
    .withLogConsumer((stream) => {
      forEachLine(stream, (line) => {
        recent.add(line);
        options.log?.(line);
      });
    })
    .start();
  const url = container.url(started.getHost(), port, secret);
  const apiKey = container.takesApiKey && secret !== '' ? secret : undefined;
  const probe = () => container.probe(url, secret);
  const refusal = (error: unknown) => container.refusal?.(error, options.dataDir, volume);
  await untilReady(container.name, { probe, refusal, recent });
  return await runningContainer({ container, started, url, apiKey, port, recent });
}

/** Named after the data folder, so the data is found again by the next start. */
async function volumeFor(container: StoreContainer, options: StoreOptions): Promise<string> {
  const hash = createHash('sha256').update(options.dataDir).digest('hex').slice(0, 12);
  const name = `quire-${hash}-${container.name}`;
  if (options.throwaway) {
    const client = await getContainerRuntimeClient();
    const { sessionId } = await getReaper(client);
    const labels = { [LABEL_TESTCONTAINERS_SESSION_ID]: sessionId, 'org.testcontainers': 'true' };
    await client.container.dockerode.createVolume({ Name: name, Labels: labels });
  }
  return name;
}

async function untilReady(name: StoreName, { probe, refusal, recent }: Readiness): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    try {
      await probe();
      return;
    } catch (error) {
      const refused = refusal(error);
      if (refused) throw refused;
      if (Date.now() > deadline) {
        throw new EarlyExit(name, `does not answer (${(error as Error).message})`, recent.all());
      }
    }
    await sleep(PROBE_EVERY_MS);
  }
}

async function runningContainer(running: {
  container: StoreContainer;
  started: StartedTestContainer;
  url: string;
  apiKey: string | undefined;
  port: number;
  recent: RecentLines;
}): Promise<RunningStore> {
  const { container, started, url, apiKey, port, recent } = running;
  const client = await getContainerRuntimeClient();
  const handle = client.container.getById(started.getId());
  const exited = handle
    .wait()
    .then(({ StatusCode }: { StatusCode: number }) => ({ code: StatusCode, signal: null }));
  let stopping: Promise<void> | undefined;
  const stopOnce = async () => void (await started.stop({ timeout: STOP_LIMIT_MS, removeVolumes: false }));
  const stop = () => (stopping ??= stopOnce());
  return {
    name: container.name,
    origin: 'container',
    url,
    apiKey,
    port,
    pid: undefined,
    exited,
    lastLogLines: () => recent.all(),
    stop,
    async kill(signal = 'SIGKILL') {
      await handle.kill({ signal });
      await exited;
      await stop();
    },
  };
}
