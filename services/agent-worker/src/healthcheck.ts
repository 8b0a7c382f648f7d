import { checkPresence } from '@quire/shared/process';

await checkPresence('agent-worker');
