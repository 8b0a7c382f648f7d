import { hashApiKey, isSameHash } from '@quire/shared/api-keys';
import { findApiKey, openDatabase, type Database } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import { createTestDatabase, type TestDatabase } from '@quire/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startQuire } from './start-quire.js';

const API_KEY_SECRET = 'the secret of all gateways, no less';
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, createLogger('test', 'silent'), 2);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const keys = async (args: string[], env: Record<string, string> = {}) => {
  const { exitCode, terminal } = startQuire({
    args: ['keys', ...args],
    env: { DATABASE_URL: database.url, API_KEY_SECRET, ...env },
  });
  return { exitCode: await exitCode, output: terminal.output, stdout: terminal.stdout };
};
const create = async (...more: string[]) => {
  const { stdout } = await keys(['create', '--tenant', 'acme', '--name', 'web', '--json', ...more]);
  return JSON.parse(stdout) as Record<string, unknown> & { key: string; prefix: string };
};
const listed = async (...args: string[]) =>
  JSON.parse((await keys(['list', '--json', ...args])).stdout) as Record<string, unknown>[];

it('quire keys create makes the first key in an empty database, and shows it alone on stdout', async () => {
  const { exitCode, stdout, output } = await keys(['create', '--tenant', 'first', '--name', 'web']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^qk_[0-9a-f]{12}_[\w-]{43}\n$/);
  expect(output).toContain('not shown again');
});

it('quire keys create stores a hash of key and secret, and nothing that reveals the key', async () => {
  const { key, prefix } = await create();
  const stored = await findApiKey(db, prefix);
  expect(isSameHash(stored?.hash ?? Buffer.alloc(0), hashApiKey(key, API_KEY_SECRET))).toBe(true);
  const rows = await db.selectFrom('api_keys').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(key.slice(prefix.length));
  expect((await keys(['list'])).output).not.toContain(key);
});

it('quire keys create stores the given rights, and the defaults otherwise', async () => {
  expect(await create()).toMatchObject({
    tenant: 'acme',
    name: 'web',
    scopes: ['chat'],
    rate_per_minute: null,
    max_concurrent: null,
    expires_at: null,
    valid: true,
  });
  const limits = ['--rate', '7', '--concurrent', '2', '--expires', '90d', '--scopes', 'admin,chat'];
  const made = await create(...limits);
  expect(made).toMatchObject({ scopes: ['admin', 'chat'], rate_per_minute: 7, max_concurrent: 2 });
  const lasts = Date.parse(String(made['expires_at'])) - Date.parse(String(made['created_at']));
  expect(Math.round(lasts / 86_400_000)).toBe(90);
});

it.each([
  ['no tenant', ['create', '--name', 'x'], /--tenant/],
  ['an unknown scope', ['create', '--tenant', 'a', '--name', 'x', '--scopes', 'root'], /chat, admin/],
  ['a time that is none', ['create', '--tenant', 'a', '--name', 'x', '--expires', 'soon'], /90d/],
  ['a name with a line break', ['create', '--tenant', 'a\nb', '--name', 'x'], /letters, digits/],
])('quire keys create %s ends with 2', async (_, args, words) => {
  const { exitCode, output } = await keys(args);
  expect(exitCode).toBe(2);
  expect(output).toMatch(words);
});

it('quire keys create without API_KEY_SECRET prints what to set, and makes no key', async () => {
  const before = (await listed()).length;
  for (const secret of ['', 'short']) {
    const { exitCode, output } = await keys(['create', '--tenant', 'a', '--name', 'x'], {
      API_KEY_SECRET: secret,
    });
    expect(exitCode).toBe(1);
    expect(output).toContain('API_KEY_SECRET');
  }
  expect(await listed()).toHaveLength(before);
});

it('quire keys list shows the rights of the keys of one tenant or of all', async () => {
  await create('--tenant', 'listed', '--rate', '30');
  const { output } = await keys(['list', '--tenant', 'listed']);
  expect(output).toMatch(/qk_[0-9a-f]{12}\W+listed\W+web\W+chat\W+30\/min\W+default\W+valid/);
  expect(await listed('--tenant', 'listed')).toHaveLength(1);
  expect((await listed()).length).toBeGreaterThan(1);
  expect((await keys(['list', '--tenant', 'nobody'])).output).toContain('There is no key yet');
});

it('quire keys revoke ends a key, and repeating it changes nothing', async () => {
  const { prefix } = await create('--tenant', 'revoked');
  expect(await keys(['revoke', prefix])).toMatchObject({ exitCode: 0 });
  const [first] = await listed('--tenant', 'revoked');
  expect(first).toMatchObject({ valid: false, revoked_at: expect.any(String) as string });
  const again = await keys(['revoke', prefix, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ revoked_at: first?.['revoked_at'] });
  expect((await keys(['list', '--tenant', 'revoked'])).output).toContain('revoked 20');
});

it.each(['revoke', 'rotate'])('quire keys %s accepts a whole key, and never prints it', async (verb) => {
  const { key, prefix } = await create('--tenant', verb);
  const { exitCode, output } = await keys([verb, key]);
  expect(exitCode).toBe(0);
  expect(output).toContain(prefix);
  expect(output).not.toContain(key.slice(prefix.length));
  const stored = (await listed('--tenant', verb)).find((each) => each['prefix'] === prefix);
  expect(stored?.[verb === 'revoke' ? 'revoked_at' : 'expires_at']).not.toBeNull();
});

it.each(['revoke', 'rotate'])('quire keys %s does not print an invalid or unknown key', async (verb) => {
  const unknown = `qk_000000000000_${'s'.repeat(43)}`;
  for (const [given, code] of [
    [unknown, 1],
    [unknown.slice(3), 2],
  ] as const) {
    const { exitCode, output } = await keys([verb, given]);
    expect(exitCode).toBe(code);
    expect(output).not.toContain('sss');
  }
});

it('quire keys revoke of an unknown key ends with 1', async () => {
  expect(await keys(['revoke', 'qk_000000000000'])).toMatchObject({
    exitCode: 1,
    output: 'There is no key qk_000000000000.\n',
  });
});

const rotate = async (prefix: string, ...more: string[]) =>
  JSON.parse((await keys(['rotate', prefix, '--json', ...more])).stdout) as Record<string, unknown> & {
    key: string;
    prefix: string;
    replaces: Record<string, unknown>;
  };

it('quire keys rotate makes a key with the same rights, and the old one stays valid for the grace', async () => {
  const old = await create('--rate', '5', '--scopes', 'chat,admin');
  const made = await rotate(old.prefix, '--grace', '1h');
  expect(made).toMatchObject({
    tenant: 'acme',
    scopes: ['chat', 'admin'],
    rate_per_minute: 5,
    valid: true,
  });
  expect(made).toMatchObject({ expires_at: null, revoked_at: null });
  expect(made.prefix).not.toBe(old.prefix);
  expect(made.replaces).toMatchObject({ prefix: old.prefix, valid: true });
  const left = Date.parse(String(made.replaces['expires_at'])) - Date.parse(String(made['created_at']));
  expect(left).toBe(3_600_000);
  expect(await findApiKey(db, made.prefix)).toBeDefined();
});

it('quire keys rotate without a grace ends the old key at once, and never extends it', async () => {
  const old = await create('--expires', '30m');
  expect((await rotate(old.prefix, '--grace', '2d')).replaces['expires_at']).toBe(old['expires_at']);
  const other = await create();
  await rotate(other.prefix, '--grace', '0s');
  expect((await listed()).find(({ prefix }) => prefix === other.prefix)).toMatchObject({ valid: false });
});

it('quire keys rotate does not make a revoked key valid again', async () => {
  const { prefix } = await create();
  await keys(['revoke', prefix]);
  const before = (await listed()).length;
  expect(await keys(['rotate', prefix])).toMatchObject({ exitCode: 1 });
  expect(await listed()).toHaveLength(before);
});

it('quire keys prints that Postgres is away, without its password', async () => {
  const { exitCode, output } = await keys(['list'], { DATABASE_URL: 'postgres://u:hush@127.0.0.1:9/q' });
  expect(exitCode).toBe(1);
  expect(output).toContain('Postgres does not answer');
  expect(output).not.toContain('hush');
});
