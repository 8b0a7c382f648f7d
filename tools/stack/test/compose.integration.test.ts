import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { commandLine, processIdentity } from '../src/processes/process-identity.js';
import { freePorts } from '../src/stores/free-port.js';
import { commandLinesWith, secretsIn } from './exposure.js';
import { Program, untilGone } from './program.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const ENVIRONMENT = {
  REDIS_URL: '',
  DATABASE_URL: '',
  QDRANT_URL: '',
  QDRANT_COLLECTION: '',
  GEMINI_API_KEY: '',
  QUIRE_DATA_DIR: '',
  // Processes are counted here, and containers are none.
  DOCKER_HOST: 'unix:///nonexistent',
};

let repository: string;
let port: number;
const programs: Program[] = [];

beforeEach(async () => {
  repository = fakeRepository();
  [port = 0] = await freePorts(1);
});

afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.child.kill('SIGTERM');
    await program.exit;
  }
  rmSync(repository, { recursive: true, force: true });
});

it('npm start starts real stores and fake services, prints what to try, stops on Ctrl-C without leftovers, and is quicker the second time', async () => {
  const first = start();
  await first.prints('ingested: ingest books/physical-ai/docs --base-url https://physical-ai.example/docs');
  await first.prints('Ctrl-C stops everything');
  expect(first.output).toContain(`Quire runs at http://127.0.0.1:${port}`);
  expect(first.output).toContain(
    `curl -s http://127.0.0.1:${port}/chat -H 'content-type: application/json' -d '{"message":"How do ROS 2 nodes communicate?"}'`,
  );
  expect(first.output).toContain('GEMINI_API_KEY is not set');
  expect(first.output).toMatch(/gateway +\[\d\d:\d\d:\d\d\.\d+\] INFO: started/);
  const children = first.children();
  const address = join(repository, '.quire/stack.json');
  expect(JSON.parse(readFileSync(address, 'utf8'))).toEqual({
    gatewayUrl: expect.stringMatching(/^http:/),
    redisUrl: expect.stringMatching(/^redis:/),
    databaseUrl: expect.stringMatching(/^postgres/),
    qdrantUrl: expect.stringMatching(/^http:/),
    qdrantApiKey: expect.stringMatching(/^\w{48}$/),
  });
  expect(statSync(address).mode & 0o777).toBe(0o600);
  expect(commandLinesWith(secretsIn(join(repository, '.quire')))).toEqual([]);
  // Three stores, three services, the reaper.
  expect(children).toHaveLength(7);
  first.child.kill('SIGINT');
  expect(await first.exit).toEqual({ code: 0, signal: null });
  await untilGone(children);
  expect(readdirSync(join(repository, '.quire/run'))).toEqual([]);
  expect(existsSync(address)).toBe(false);

  const second = start();
  await second.prints('Ctrl-C stops everything');
  expect(second.output).not.toContain('ingest');
});

it('npm start refuses a second start from the same folder and prints the address of the first one', async () => {
  const first = start();
  await first.prints('Ctrl-C stops everything');
  const second = start({ PORT: '' });
  expect(await second.exit).toEqual({ code: 1, signal: null });
  expect(second.output).toContain(`(process ${first.pid} at http://127.0.0.1:${port})`);
  expect(second.output).toContain(`kill ${first.pid}`);
  expect(processIdentity(first.pid)).toBeDefined();
});

it('npm start ends the processes that an earlier start left behind when even its reaper was killed', async () => {
  const first = start();
  await first.prints('Ctrl-C stops everything');
  const children = first.children();
  const reapers = children.filter(isReaper);
  // Otherwise it may start another reaper before it is killed itself.
  first.child.kill('SIGSTOP');
  for (const pid of reapers) process.kill(pid, 'SIGKILL');
  first.child.kill('SIGKILL');
  await untilGone([first.pid, ...reapers]);
  expect(children.filter((pid) => processIdentity(pid) !== undefined)).toHaveLength(6);

  const second = start();
  await second.prints('Ended 6 processes');
  await second.prints('Ctrl-C stops everything');
  await untilGone(children);
});

it('npm start ingests the sample book again when the first ingestion was killed half-way', async () => {
  const first = start({ FAKE_INGEST: 'half' });
  expect(await first.exit).toEqual({ code: 1, signal: null });
  expect(first.output).toContain('sample-book-ingestion was ended by SIGKILL');
  const second = start();
  await second.prints('The sample book is incomplete');
  await second.prints('Ctrl-C stops everything');
});

it('npm start names the secret that is gone when their folder was deleted, and starts with the data', async () => {
  const first = start();
  await first.prints('Ctrl-C stops everything');
  first.child.kill('SIGTERM');
  await first.exit;
  rmSync(join(repository, '.quire/secrets'), { recursive: true });
  const second = start();
  await second.prints('The password file of Postgres is missing');
  await second.prints('Ctrl-C stops everything');
  expect(second.output).not.toContain('ingested');
});

it('npm start starts nothing when the configuration of a service cannot be checked', async () => {
  rmSync(join(repository, 'services/agent-worker/dist/check-config.js'));
  const stack = start();
  expect(await stack.exit).toEqual({ code: 1, signal: null });
  expect(stack.output).toContain('the configuration of agent-worker could not be checked');
  expect(stack.output).toContain('npm run build');
  expect(stack.output).not.toContain('Starting the stores');
});

it('npm start names the next free port when PORT is taken', async () => {
  const holder = createServer().listen(port, '127.0.0.1');
  const stack = start();
  expect(await stack.exit).toEqual({ code: 1, signal: null });
  holder.close();
  expect(stack.output).toContain(`port ${port} on 127.0.0.1 is taken`);
  expect(stack.output).toMatch(/PORT=\d+ npm start/);
});

it('npm start separates its data from that of another checkout that runs at the same time', async () => {
  const other = fakeRepository();
  const stacks = [start(), start({ PORT: String((await freePorts(1))[0]) }, other)];
  await Promise.all(stacks.map((stack) => stack.prints('Ctrl-C stops everything')));
  expect(existsSync(join(repository, '.quire/postgres/data/postmaster.pid'))).toBe(true);
  expect(existsSync(join(other, '.quire/postgres/data/postmaster.pid'))).toBe(true);
  for (const stack of stacks) stack.child.kill('SIGTERM');
  await Promise.all(stacks.map((stack) => stack.exit));
  rmSync(other, { recursive: true, force: true });
});

function start(env: NodeJS.ProcessEnv = {}, folder = repository): Program {
  const program = new Program('run-compose.mjs', [folder], {
    ...ENVIRONMENT,
    PORT: String(port),
    ...env,
  });
  programs.push(program);
  return program;
}

function fakeRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-checkout-'));
  chmodSync(folder, 0o755);
  const place = (fixture: string, path: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), `import ${JSON.stringify(join(FIXTURES, fixture))};\n`);
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const service of ['gateway', 'agent-worker', 'retrieval-worker'])
    place('fake-check.mjs', `services/${service}/dist/check-config.js`);
  place('fake-gateway.mjs', 'services/gateway/dist/main.js');
  place('fake-service.mjs', 'services/agent-worker/dist/main.js');
  place('fake-service.mjs', 'services/retrieval-worker/dist/main.js');
  place('fake-quire.mjs', 'tools/cli/bin/quire.js');
  // Programs are fetched once for the whole run.
  const { binDir } = inject('quireStores');
  mkdirSync(join(folder, '.quire'), { recursive: true });
  if (existsSync(binDir))
    cpSync(binDir, join(folder, '.quire/bin'), { recursive: true, verbatimSymlinks: true });
  return folder;
}

function isReaper(pid: number): boolean {
  return commandLine(pid)?.includes('reaper.js') ?? false;
}
