import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into a service by `--import`: at SIGUSR2 it says what is left after the garbage is collected.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`${JSON.stringify({ message: 'Memory', bytes: heapUsed + external })}\n`);
});
