import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stackAddress } from './stack-address.js';

it('the stack file is readable by its owner alone, until it is withdrawn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-address-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stack.json');
  const address = stackAddress(folder);
  const addresses = {
    gatewayUrl: 'http://g:0',
    redisUrl: 'redis://a:1',
    databaseUrl: 'postgres://c:3',
    qdrantUrl: 'http://b:2',
    qdrantApiKey: 'key',
    collection: 'books',
  };
  address.announce(addresses);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(addresses);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  address.withdraw();
  expect(existsSync(file)).toBe(false);
});
