import { runService } from '@quire/shared/process';
import { compose } from './compose.js';
import { loadGatewayConfig } from './config.js';

await runService('gateway', () => compose(loadGatewayConfig()));
