import { setTimeout as sleep } from 'node:timers/promises';
import { getEnvironmentData, parentPort } from 'node:worker_threads';

const DIMENSIONS = 512;
const THREADS_THAT_MEET = 2;
const LOADING_MS = 1500;

/**
 * `load` takes a while to begin; `stall` never ends; `wedge` blocks its thread for ever; `meet` ends when
 * another thread is embedding too; anything else ends at once.
 */
export default async ({ number, texts }) => {
  if (texts.includes('load')) await sleep(LOADING_MS);
  parentPort.postMessage(number, []);
  if (texts.includes('stall')) await new Promise(() => {});
  if (texts.includes('wedge')) wedge();
  if (texts.includes('meet')) await meetAnotherThread();
  return texts.map(() => Array.from({ length: DIMENSIONS }, () => 0.5));
};

/** Reports to the test that a thread is embedding. */
function showUp() {
  const present = new Int32Array(getEnvironmentData('present'));
  Atomics.add(present, 0, 1);
  return present;
}

function wedge() {
  showUp();
  for (;;);
}

async function meetAnotherThread() {
  const present = showUp();
  while (Atomics.load(present, 0) < THREADS_THAT_MEET) await sleep(1);
}
