import { runService } from '@quire/shared/process';
import { compose } from './compose.js';

await runService('retrieval-worker', compose);
