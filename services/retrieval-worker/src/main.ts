import { runService } from '@quire/shared/process';
import { compose } from './compose.js';
import { loadRetrievalConfig } from './config.js';

await runService('retrieval-worker', () => compose(loadRetrievalConfig()));
