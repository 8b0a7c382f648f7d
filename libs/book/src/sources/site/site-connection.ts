import { readFileSync } from 'node:fs';
import { Agent, fetch, type Response } from 'undici';
import { z } from 'zod';
import { lookupWith, PrivateAddress, refusePrivateLiteral } from './public-address.js';
import type { SiteSettings } from './site-options.js';

const packageFile = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
const { version } = z.object({ version: z.string() }).parse(JSON.parse(packageFile));
const headers = { 'user-agent': `Quire/${version} (+documentation indexer)` };

/** Refuses private addresses, however they are reached. */
export class SiteConnection {
  readonly #agent: Agent;
  readonly #allowPrivate: boolean;

  constructor({ concurrency, resolve, allowPrivate }: SiteSettings) {
    this.#allowPrivate = allowPrivate;
    this.#agent = new Agent({
      connections: concurrency,
      connect: { lookup: lookupWith(resolve, allowPrivate) },
    });
  }

  /** Makes one request; does not follow redirects. */
  async request(url: URL, signal: AbortSignal): Promise<Response> {
    if (!this.#allowPrivate) refusePrivateLiteral(url);
    try {
      return await fetch(url, { dispatcher: this.#agent, redirect: 'manual', headers, signal });
    } catch (error) {
      const { cause } = error as Error;
      throw cause instanceof PrivateAddress ? cause : error;
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
