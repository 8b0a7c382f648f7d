const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Below this a page is a placeholder: there is nothing to find it by. */
const STUB_WORDS = 4;

/** Whether the texts together have fewer words than a page worth finding; also for scripts without spaces. */
export function isStub(texts: Iterable<string>): boolean {
  let words = 0;
  for (const text of texts) {
    for (const { isWordLike } of segmenter.segment(text)) {
      if (isWordLike === true) words += 1;
      if (words === STUB_WORDS) return false;
    }
  }
  return true;
}
