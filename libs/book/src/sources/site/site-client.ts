import { withLinkedSignal } from '@quire/shared/process';
import { UnreadablePage } from '../source-errors.js';
import { followRedirects, type Fetched, type FetchRules } from './follow-redirects.js';
import { RequestPace } from './request-pace.js';
import { backoffMs, MAX_TRIES, retryAfterMs } from './retry-delay.js';
import { SiteConnection } from './site-connection.js';
import type { SiteSettings } from './site-options.js';

const BUSY = new Set([429, 503]);

/** Fetches from one site, within the limits of the site and the settings. Rejects with `UnreadablePage` or a signal's reason. */
export class SiteClient {
  readonly pace: RequestPace;
  readonly #connection: SiteConnection;
  readonly #ended = new AbortController();

  constructor(
    private readonly settings: SiteSettings,
    private readonly signal: AbortSignal,
  ) {
    this.pace = new RequestPace(settings.concurrency);
    this.#connection = new SiteConnection(settings);
    signal.addEventListener('abort', this.#onAbort);
  }

  get(url: URL, rules: FetchRules, signal = this.signal): Promise<Fetched> {
    return withLinkedSignal([this.#ended.signal, signal], (linked) =>
      this.pace.run(() => this.#getWithRetries(url, rules, linked), linked),
    );
  }

  close(): Promise<void> {
    return this.#end(new Error('The source is closed'));
  }

  readonly #onAbort = () => void this.#end(this.signal.reason);

  async #end(reason: unknown): Promise<void> {
    this.signal.removeEventListener('abort', this.#onAbort);
    this.#ended.abort(reason);
    await this.#connection.close();
  }

  async #getWithRetries(url: URL, rules: FetchRules, signal: AbortSignal): Promise<Fetched> {
    for (let tried = 1; ; tried += 1) {
      const backoff = backoffMs(this.settings.backoffMs, tried);
      try {
        await this.pace.turn(signal);
        const fetched = await this.#getInTime(url, rules, signal);
        if (!BUSY.has(fetched.status) || tried === MAX_TRIES) return fetched;
        this.pace.pause(retryAfterMs(fetched.headers.get('retry-after'), Date.now()) ?? backoff);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof UnreadablePage) throw error;
        if (tried === MAX_TRIES) throw unreachable(error);
        this.pace.pause(backoff);
      }
    }
  }

  #getInTime(url: URL, rules: FetchRules, signal: AbortSignal): Promise<Fetched> {
    const { timeLimitMs } = this.settings;
    const timeout = AbortSignal.timeout(timeLimitMs);
    const work = (linked: AbortSignal) => followRedirects(this.#connection, url, rules, linked);
    return withLinkedSignal([signal, timeout], work).catch((error: unknown) => {
      if (!timeout.aborted || signal.aborted) throw error;
      throw new UnreadablePage(`No response within ${timeLimitMs / 1000} s`, { cause: error });
    });
  }
}

function unreachable(error: unknown): UnreadablePage {
  const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return new UnreadablePage(`Cannot be reached: ${cause.code ?? cause.message}`, { cause: error });
}
