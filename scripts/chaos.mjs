import { setup } from './setup.mjs';

await setup();
// In this very process, so that there is only one to receive Ctrl-C.
await import('../chaos/dist/main.js');
