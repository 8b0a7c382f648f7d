import { checkConfiguration } from '@quire/shared/config';
import { readConfig } from './config.js';

checkConfiguration(() => readConfig(process.env));
