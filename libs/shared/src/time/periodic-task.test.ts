import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { PeriodicTask } from './periodic-task.js';

it('PeriodicTask repeats its task, also after a pass that failed', async () => {
  const passes = new EventEmitter();
  const failures: unknown[] = [];
  let count = 0;
  const task = new PeriodicTask(
    1,
    async () => {
      count += 1;
      passes.emit(`pass ${count}`);
      if (count === 1) throw new Error('first pass');
    },
    (error) => failures.push(error),
  );
  const third = once(passes, 'pass 3');
  task.start();
  await third;
  await task.stop();
  expect(failures).toEqual([new Error('first pass')]);
});

it('PeriodicTask never runs two passes at once, and stop() waits for the pass under way', async () => {
  let running = 0;
  let most = 0;
  const release = new EventEmitter();
  const task = new PeriodicTask(1, async (signal) => {
    running += 1;
    most = Math.max(most, running);
    await once(signal, 'abort');
    release.emit('stopping');
    running -= 1;
  });
  task.start();
  task.start();
  await task.stop();
  expect({ running, most }).toEqual({ running: 0, most: 1 });
});

it('PeriodicTask that is stopped before its first pass is due runs none', async () => {
  let passes = 0;
  const task = new PeriodicTask(1, () => Promise.resolve(void (passes += 1)));
  task.start(3_600_000);
  await task.stop();
  expect(passes).toBe(0);
});
