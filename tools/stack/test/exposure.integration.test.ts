import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { startQdrant, startStores, type RunningStore, type RunningStores } from '../src/stores/index.js';
import { commandLinesWith, filesOpenToOthers, listeningAddresses, secretsIn } from './exposure.js';
import { makeFolder, removeFolder, temporaryFolder } from './temporary-folder.js';

const ANOTHER_USER = 12_345;
const ORIGIN = 'https://evil.example';
const VECTORS = { vectors: { size: 2, distance: 'Cosine' } };

describe.runIf(process.platform === 'linux')('the embedded stores', () => {
  let dataDir: string;
  let stores: RunningStores;

  beforeAll(async () => {
    dataDir = makeFolder();
    stores = await startStores({ ...common(), dataDir });
    expect((await ask('PUT', '/collections/book', VECTORS, keyOf(stores.qdrant))).status).toBe(200);
  });
  afterAll(async () => {
    await stores.stop();
    removeFolder(dataDir);
  });

  it('the embedded stores listen on loopback alone, and on no unix socket', () => {
    for (const { pid = 0, name } of stores.all) {
      const addresses = listeningAddresses(pid);
      expect({ name, count: addresses.length }).toEqual({ name, count: name === 'qdrant' ? 2 : 1 });
      for (const address of addresses) expect(address).toMatch(/^0100007F:/);
    }
  });

  it('the embedded stores show no secret on any command line', () => {
    expect(secretsIn(dataDir)).toHaveLength(3);
    expect(commandLinesWith(secretsIn(dataDir))).toEqual([]);
  });

  it('the embedded stores print no secret', () => {
    for (const store of stores.all) {
      const printed = store.lastLogLines().join('\n');
      for (const secret of secretsIn(dataDir)) expect(printed).not.toContain(secret);
    }
  });

  it('the embedded stores leave no file that other users may read except the records of processes, which hold no secret', () => {
    const open = filesOpenToOthers(dataDir);
    expect(open.filter((file) => !file.startsWith(join(dataDir, 'run/')))).toEqual([]);
    for (const file of open) {
      for (const secret of secretsIn(dataDir)) expect(readFileSync(file, 'utf8')).not.toContain(secret);
    }
    expect(statSync(join(dataDir, 'secrets')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(join(dataDir, 'secrets')))
      expect(statSync(join(dataDir, 'secrets', name)).mode & 0o777).toBe(0o600);
  });

  it.runIf(process.getuid?.() === 0)('the embedded stores refuse their files to another user', () => {
    // It ends with 1 because of the folders that it may not enter.
    const { stdout } = spawnSync('find', [dataDir, '-type', 'f', '-readable'], {
      uid: ANOTHER_USER,
      gid: ANOTHER_USER,
      encoding: 'utf8',
    });
    const found = stdout.split('\n').filter(Boolean);
    expect(found.filter((file) => !file.startsWith(join(dataDir, 'run/')))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });

  it.each([
    ['GET', '/collections'],
    ['GET', '/collections/book'],
    ['POST', '/collections/book/points/scroll'],
    ['PUT', '/collections/mine'],
    ['DELETE', '/collections/book'],
    ['GET', '/telemetry'],
    ['GET', '/metrics'],
  ])('a request to Qdrant without the key gets nothing: %s %s', async (method, path) => {
    for (const headers of [{}, { origin: ORIGIN }, { 'api-key': 'guessed', origin: ORIGIN }]) {
      const response = await ask(method, path, method === 'GET' ? undefined : VECTORS, headers);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain('book');
      expect(corsHeaders(response)).toEqual([]);
    }
    expect((await ask('GET', '/collections/book', undefined, keyOf(stores.qdrant))).status).toBe(200);
  });

  it.each(['OPTIONS', 'GET'])('Qdrant allows no web origin, not even with the key: %s', async (method) => {
    const asking = { origin: ORIGIN, 'access-control-request-method': 'PUT', ...keyOf(stores.qdrant) };
    expect(corsHeaders(await ask(method, '/collections', undefined, asking))).toEqual([]);
  });

  it('a page that posts to the port of Redis changes nothing', async () => {
    const { port } = stores.redis;
    const commands = `SET stolen yes\r\nAUTH guessed\r\nSET stolen yes\r\nCONFIG SET requirepass none\r\n`;
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
    socket.write(
      `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${ORIGIN}\r\nContent-Length: ${commands.length}\r\n\r\n${commands}`,
    );
    socket.resume();
    await once(socket, 'close');
    const client = new Redis(stores.redis.url);
    onTestFinished(() => client.disconnect());
    expect(await client.get('stolen')).toBeNull();
    const stranger = new Redis({ port, host: '127.0.0.1', enableReadyCheck: false }).on('error', () => {});
    onTestFinished(() => stranger.disconnect());
    await expect(stranger.get('stolen')).rejects.toThrow('NOAUTH');
  });

  it('Postgres trusts no connection without its password', async () => {
    const client = new Client({ connectionString: stores.postgres.url });
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query('SELECT DISTINCT auth_method FROM pg_hba_file_rules');
    expect(rows).toEqual([{ auth_method: 'scram-sha-256' }]);
    const url = new URL(stores.postgres.url);
    url.password = 'guessed';
    const stranger = new Client({ connectionString: url.href });
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' });
  });

  function ask(method: string, path: string, body: object | undefined, headers: Record<string, string>) {
    return fetch(new URL(path, stores.qdrant.url), {
      method,
      headers: { 'content-type': 'application/json', connection: 'close', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }
});

it('an index that was made before Qdrant had a key is kept, and asks for the key from then on', async () => {
  const dataDir = temporaryFolder();
  const before = await startQdrant({ ...common(), dataDir, withoutQdrantKey: true });
  const made = await fetch(new URL('/collections/book', before.url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(VECTORS),
  });
  expect(made.status).toBe(200);
  await before.stop();

  const after = await startQdrant({ ...common(), dataDir });
  onTestFinished(() => after.stop());
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(new URL('/collections/book', after.url), { headers: { connection: 'close', ...headers } }))
      .status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith(keyOf(after))).toBe(200);
});

function keyOf({ apiKey = '' }: RunningStore): Record<string, string> {
  return { 'api-key': apiKey };
}

function corsHeaders({ headers }: Response): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
}

function common() {
  const env = { PATH: process.env.PATH, DOCKER_HOST: 'unix:///nonexistent' };
  return { binDir: inject('quireStores').binDir, throwaway: true, env };
}
