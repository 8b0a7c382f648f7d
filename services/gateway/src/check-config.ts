import { checkConfiguration } from '@quire/shared/config';
import { loadGatewayConfig } from './config.js';

checkConfiguration(loadGatewayConfig);
