import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, qdrantUrl, testRedisUrl } from '@quire/testkit';
import { TEST_SECRET } from '../api-keys-for-test.js';

export interface Holdings {
  heapBytes: number;
  /** Outside the heap: buffers. */
  externalBytes: number;
  /** Of clients. */
  connections: number;
  /** Of clients and stores. */
  sockets: number;
}

export interface GatewayInProcess {
  url: string;
  redisUrl: string;
  databaseUrl: string;
  /** What it has printed: at its log level, warnings and errors alone. */
  output(): string;
  hasEnded(): boolean;
  measure(): Promise<Holdings>;
  close(): Promise<void>;
}

/** The built gateway as a process, so that its end and its memory are its own. */
export async function startGatewayProcess(auth: 'on' | 'off'): Promise<GatewayInProcess> {
  const database = await createTestDatabase();
  const redisUrl = await testRedisUrl();
  const child = fork(fileURLToPath(new URL('gateway-process.mjs', import.meta.url)), {
    execArgv: ['--expose-gc'],
    silent: true,
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      AUTH: auth,
      API_KEY_SECRET: TEST_SECRET,
      REDIS_URL: redisUrl,
      DATABASE_URL: database.url,
      QDRANT_URL: qdrantUrl(),
      CORS_ORIGINS: 'https://book.example',
      LOG_LEVEL: 'warn',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  const failed = once(child, 'exit').then(() => {
    throw new Error(`The gateway process has ended:\n${output}`);
  });
  failed.catch(() => {});
  const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    redisUrl,
    databaseUrl: database.url,
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async measure() {
      child.send('measure');
      const [holdings] = (await Promise.race([once(child, 'message'), failed])) as [Holdings];
      return holdings;
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await database.drop();
    },
  };
}
