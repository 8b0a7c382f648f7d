import { runService } from '@quire/shared/process';
import { compose } from './compose.js';
import { loadAgentConfig } from './config.js';

await runService('agent-worker', () => compose(loadAgentConfig()));
