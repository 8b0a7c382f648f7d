import { checkPresence } from '@quire/shared/process';

await checkPresence('retrieval-worker');
