import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repoRoot } from './quire-processes.js';

const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8');

interface Compose {
  services: Record<
    string,
    {
      build?: { dockerfile: string };
      environment?: Record<string, string>;
      command?: string[];
      ports?: string[];
      networks: string[];
      healthcheck?: unknown;
      depends_on?: Record<string, { condition: string }>;
      container_name?: string;
    }
  >;
  networks: Record<string, { internal?: boolean }>;
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const services = ['gateway', 'agent-worker', 'retrieval-worker'] as const;

const variablesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''));
const documented = variablesIn(read('.env.example'), /^([A-Z_]+)=/gm);

const hasComposePlugin = spawnSync('docker', ['compose', 'version']).status === 0;

describe('docker-compose.yml', () => {
  it.skipIf(!hasComposePlugin)(
    'docker-compose.yml is accepted by docker compose (needs the docker compose plugin)',
    () => {
      const { status, stderr } = spawnSync('docker', ['compose', 'config', '--quiet'], { cwd: repoRoot });
      expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
    },
  );

  it('docker-compose.yml runs the three services and the three stores', () => {
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining([...services, 'redis', 'postgres', 'qdrant']),
    );
  });

  it('docker-compose.yml runs Redis with one append-only file and without eviction', () => {
    expect(compose.services['redis']?.command).toEqual([
      'redis-server',
      '--appendonly',
      'yes',
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
    ]);
  });

  it.each(['redis', 'postgres', 'qdrant'])(
    'docker-compose.yml gives %s a health check and publishes none of its ports',
    (store) => {
      const service = compose.services[store];
      expect(service?.healthcheck).toBeDefined();
      expect(service?.ports).toBeUndefined();
      expect(service?.networks.every((network) => compose.networks[network]?.internal)).toBe(true);
    },
  );

  it('docker-compose.yml allows Qdrant no web origin, and passes its API key to the services that use it', () => {
    const key = '${QDRANT_API_KEY:-}';
    expect(compose.services['qdrant']?.environment).toMatchObject({
      QDRANT__SERVICE__ENABLE_CORS: 'false',
      QDRANT__SERVICE__API_KEY: key,
    });
    for (const name of [...services, 'quire'])
      expect(compose.services[name]?.environment).toMatchObject({ QDRANT_API_KEY: key });
  });

  it.each(services)('docker-compose.yml starts %s after its stores are healthy and lets it scale', (name) => {
    const service = compose.services[name];
    const conditions = Object.values(service?.depends_on ?? {}).map(({ condition }) => condition);
    expect(conditions.length).toBeGreaterThan(0);
    expect(new Set(conditions)).toEqual(new Set(['service_healthy']));
    expect(service?.container_name).toBeUndefined();
  });

  it('docker-compose.yml publishes the gateway on loopback only', () => {
    for (const service of Object.values(compose.services)) {
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it.each(services)('docker-compose.yml gives %s only variables that its configuration reads', (name) => {
    const known = variablesIn(
      read(`services/${name}/src/config.ts`),
      /\b([A-Z]+(?:_[A-Z]+)+|EMBEDDER|HOST|PORT)\b/g,
    );
    // One shared block names all stores.
    const stores = new Set([
      'DATABASE_URL',
      'QDRANT_URL',
      'QDRANT_API_KEY',
      'QDRANT_COLLECTION',
      'REDIS_URL',
    ]);
    const given = Object.keys(compose.services[name]?.environment ?? {}).filter((key) => !stores.has(key));
    expect(given.filter((key) => !known.has(key))).toEqual([]);
  });
});

describe.each([...services.map((name) => `services/${name}`), 'tools/cli'])('%s/Dockerfile', (folder) => {
  const text = read(`${folder}/Dockerfile`);

  it('the Dockerfile ships production dependencies only, runs unprivileged, and names files that the build makes', () => {
    expect(text).toMatch(/npm pkg delete devDependencies[^]*npm install --omit=dev/);
    expect(text).toMatch(/^USER node$/m);
    const files = [...text.matchAll(/"((?:services|tools)\/[^"]+\.js)"/g)].map((match) => match[1] ?? '');
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect({ file, exists: existsSync(join(repoRoot, file)) }).toEqual({ file, exists: true });
  });
});

it.each(services)('the image of %s has a health check', (name) => {
  expect(read(`services/${name}/Dockerfile`)).toMatch(/^HEALTHCHECK /m);
});

it.each(services)('.env.example names every variable that %s reads', (name) => {
  const config = read(`services/${name}/src/config.ts`);
  const variables = variablesIn(config, /^ {2}([A-Z][A-Z_]+): /gm);
  expect(variables.size).toBeGreaterThan(3);
  expect([...variables].filter((variable) => !documented.has(variable))).toEqual([]);
});
