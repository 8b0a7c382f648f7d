import { join, resolve } from 'node:path';
import type { StackArguments } from './arguments.js';
import { checkServices } from './configuration/check-services.js';
import type { StackConsole } from './console.js';
import { gatewayAddress } from './gateway-port.js';
import { asksForKeys, untilReady } from './gateway-ready.js';
import { greeting } from './greeting.js';
import { acquireInstanceLock } from './instance-lock.js';
import { createLogView } from './log-view.js';
import { endLeftovers } from './processes/process-record.js';
import { ingestSampleBook } from './sample-book.js';
import { ServiceSpecs } from './service-specs.js';
import { stackAddress } from './stack-address.js';
import { placeData } from './stores/data-place.js';
import { startStores } from './stores/start-stores.js';
import { superviseUntilStopped } from './supervisor/supervise-until-stopped.js';
import { Supervisor } from './supervisor/supervisor.js';

export interface StackSurroundings {
  repository: string;
  env: NodeJS.ProcessEnv;
  console: StackConsole;
  colours: boolean;
}

/** The embedded stack from first to last process. Resolves with the exit code when it has ended. */
export async function runStack(options: StackArguments, around: StackSurroundings): Promise<number> {
  const { env, repository, console } = around;
  await checkServices(repository, env);
  const wanted = env.QUIRE_DATA_DIR || join(repository, '.quire');
  const { dataDir, notice } = await placeData(wanted);
  if (notice) console.say(notice);
  const runDir = join(dataDir, 'run');
  const lock = acquireInstanceLock(runDir);
  const address = stackAddress(wanted);
  const supervisor = new Supervisor({
    runDir,
    format: createLogView(around.colours),
    print: (text) => console.say(text),
  });
  try {
    return await superviseUntilStopped(supervisor, bringUp, console);
  } finally {
    address.withdraw();
    lock.release();
  }

  async function bringUp(): Promise<void> {
    const ended = await endLeftovers(runDir);
    if (ended > 0) console.say(`Ended ${ended} processes that an earlier start had left behind.`);
    const gateway = await gatewayAddress(env);
    if (gateway.notice) console.say(gateway.notice);
    lock.announce(gateway.url);

    console.say(`Starting the stores (data in ${resolve(dataDir)}) …`);
    const stores = await supervisor.startStores(() =>
      startStores({ dataDir, env, notice: (line) => console.say(line) }),
    );
    const { apiKey: qdrantApiKey } = stores.qdrant;
    address.announce({
      gatewayUrl: gateway.url,
      redisUrl: stores.redis.url,
      databaseUrl: stores.postgres.url,
      qdrantUrl: stores.qdrant.url,
      ...(qdrantApiKey ? { qdrantApiKey } : {}),
      ...(env.QDRANT_COLLECTION ? { collection: env.QDRANT_COLLECTION } : {}),
    });
    const specs = new ServiceSpecs(repository, {
      ...env,
      REDIS_URL: stores.redis.url,
      DATABASE_URL: stores.postgres.url,
      QDRANT_URL: stores.qdrant.url,
      QDRANT_API_KEY: qdrantApiKey,
    });

    console.say('Starting the services …');
    for (const spec of specs.workers('retrieval-worker', options.retrievers)) supervisor.startService(spec);
    await ingestSampleBook({
      dataDir,
      qdrant: stores.qdrant,
      ownIndex: stores.qdrant.origin !== 'external',
      env,
      quire: (args) => supervisor.runJob(specs.commandLine('sample-book-ingestion', args)),
      say: (text) => console.say(text),
    });
    for (const spec of specs.workers('agent-worker', options.agents)) supervisor.startService(spec);
    supervisor.startService(specs.gateway(gateway));
    await untilReady(gateway.url, { 'agent-worker': options.agents, 'retrieval-worker': options.retrievers });
    const needsKey = await asksForKeys(gateway.url);
    console.say(greeting({ url: gateway.url, needsKey, hasModel: Boolean(env.GEMINI_API_KEY) }));
  }
}
