import { expect, it } from 'vitest';
import { freePorts } from './free-port.js';
import { externalStore } from './external-store.js';

it.each([
  ['redis', 'REDIS_URL', 'redis'],
  ['postgres', 'DATABASE_URL', 'postgres'],
  ['qdrant', 'QDRANT_URL', 'http'],
] as const)(
  '%s that does not answer is reported by the name of its variable',
  async (name, variable, scheme) => {
    const [port] = await freePorts(1);
    const store = externalStore(name, { [variable]: `${scheme}://127.0.0.1:${port}` });
    await expect(store).rejects.toMatchObject({
      name: 'StackError',
      message: expect.stringContaining(`${variable} is set, but no ${name} responds there: `) as string,
      remedy: expect.stringContaining(`correct ${variable}`) as string,
    });
  },
);

it('a store of the user with an invalid URL is reported like one that is away', async () => {
  const store = externalStore('qdrant', { QDRANT_URL: 'localhost' });
  await expect(store).rejects.toThrow('QDRANT_URL is set, but no qdrant responds there: ');
});

it('a store of the user is used only when its variable is set', async () => {
  expect(await externalStore('redis', { REDIS_URL: '' })).toBeUndefined();
});
