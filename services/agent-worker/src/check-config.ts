import { checkConfiguration } from '@quire/shared/config';
import { loadAgentConfig } from './config.js';

checkConfiguration(loadAgentConfig);
