import { createHash } from 'node:crypto';
import type { Page } from '@quire/shared/contracts';
import { minHash } from './min-hash.js';
import { pageWords } from './page-words.js';
import { SimilarSignatures } from './similar-signatures.js';

/** In shorter pages, a few words make the difference. */
const FEWEST_WORDS = 50;

export interface Duplicate {
  /** The path of the earlier page. */
  of: string;
  kind: 'duplicate' | 'near-duplicate';
}

/** Remembers checked pages, and returns the earlier one that a page (nearly) duplicates. */
export class DuplicatePages {
  readonly #texts = new Map<string, string>();
  readonly #signatures = new SimilarSignatures();
  readonly #forgotten = new Set<string>();

  check(page: Page): Duplicate | undefined {
    const digest = createHash('sha256').update(page.text).digest('base64');
    const same = this.#texts.get(digest);
    if (same !== undefined && !this.#forgotten.has(same)) return { of: same, kind: 'duplicate' };
    const words = pageWords(page);
    const signature = words.length < FEWEST_WORDS ? undefined : minHash(words);
    const similar = signature && this.#signatures.find(signature, this.#forgotten);
    // Duplicates of a duplicate refer to the original.
    this.#texts.set(digest, similar ?? page.path);
    if (similar !== undefined) return { of: similar, kind: 'near-duplicate' };
    if (signature) this.#signatures.add(page.path, signature);
    return undefined;
  }

  /** Makes an earlier page the original of no other. */
  forget(path: string): void {
    this.#forgotten.add(path);
  }
}
