import { setup } from './setup.mjs';

const parent = process.ppid;
await setup();
// The parent process (npm, a terminal) was killed meanwhile.
if (process.ppid !== parent) process.exit(1);
// In this very process, so that there is only one to receive Ctrl-C.
await import('../tools/stack/dist/main.js');
