#!/usr/bin/env node
import { startFromCommandLine } from './command-line.js';

const providers = await startFromCommandLine(process.argv.slice(2));
const { openaiBaseUrl, geminiBaseUrl, cohereBaseUrl } = providers;
process.stdout.write(`${JSON.stringify({ openaiBaseUrl, geminiBaseUrl, cohereBaseUrl })}\n`);

const stop = (): void => void providers.close();
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
