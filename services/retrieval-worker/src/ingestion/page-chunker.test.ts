import { DependencyUnavailable, InvalidInput } from '@quire/shared/errors';
import { expect, it, onTestFinished } from 'vitest';
import { aPage } from '../../test/running-worker.js';
import { openPageChunker } from './page-chunker.js';

function chunkerFor(longestParseMs?: number) {
  const chunker = openPageChunker(longestParseMs);
  onTestFinished(() => chunker.close());
  const { signal } = new AbortController();
  return (text: string) => chunker.chunk(aPage({ path: 'a.md', text }), signal);
}

it('a page that is not parsed in time rejects with a retryable error', async () => {
  await expect(chunkerFor(1)('One two three four.\n\n'.repeat(20_000))).rejects.toThrow(
    DependencyUnavailable,
  );
});

it('a page that cannot be parsed rejects with InvalidInput', async () => {
  await expect(chunkerFor()('---\ntitle: "open\n---\n')).rejects.toThrow(InvalidInput);
});
