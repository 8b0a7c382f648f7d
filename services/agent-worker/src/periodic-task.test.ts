import { once } from 'node:events';
import { expect, it } from 'vitest';
import { PeriodicTask } from './periodic-task.js';

it('what is being done is told to come to an end when it is stopped', async () => {
  let began = (): void => undefined;
  const begun = new Promise<void>((resolve) => (began = resolve));
  const task = new PeriodicTask(
    60_000,
    async (signal) => {
      began();
      await once(signal, 'abort');
    },
    (error) => expect.fail(String(error)),
  );
  task.start();
  await begun;
  await task.stop();
});
