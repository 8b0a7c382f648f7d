import { createLogger } from '../src/logging/index.js';

export const silentLogger = createLogger('test', 'silent');
