const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** A page with fewer words is a placeholder. */
const STUB_WORDS = 4;

/** Whether the texts together have too few words to be worth finding, also in scripts without spaces. */
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
