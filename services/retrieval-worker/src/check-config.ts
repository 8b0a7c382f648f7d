import { checkConfiguration } from '@quire/shared/config';
import { loadRetrievalConfig } from './config.js';

checkConfiguration(loadRetrievalConfig);
