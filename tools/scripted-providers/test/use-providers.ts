import { CohereClientV2 } from 'cohere-ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  type ScriptedProviders,
  type ScriptedProvidersOptions,
  startScriptedProviders,
} from '../src/scripted-providers.js';

export interface RunningProviders {
  readonly providers: ScriptedProviders;
  readonly openai: OpenAI;
  readonly cohere: CohereClientV2;
}

/** One server for a test file, empty of scripts and records before each test, and clients that never retry. */
export function useProviders(options: ScriptedProvidersOptions = {}): RunningProviders {
  let running: RunningProviders | undefined;
  const current = (): RunningProviders => {
    if (running === undefined) throw new Error('the providers have not started');
    return running;
  };
  beforeAll(async () => {
    const providers = await startScriptedProviders(options);
    running = {
      providers,
      openai: openAiClient(providers.openaiBaseUrl),
      cohere: cohereClient(providers.cohereBaseUrl),
    };
  });
  beforeEach(() => current().providers.reset());
  afterAll(() => current().providers.close());
  return {
    get providers() {
      return current().providers;
    },
    get openai() {
      return current().openai;
    },
    get cohere() {
      return current().cohere;
    },
  };
}

export function openAiClient(baseURL: string, apiKey = 'test-key'): OpenAI {
  return new OpenAI({ baseURL, apiKey, maxRetries: 0, logLevel: 'off' });
}

export function cohereClient(environment: string, token = 'test-key'): CohereClientV2 {
  return new CohereClientV2({ environment, token, maxRetries: 0 });
}
