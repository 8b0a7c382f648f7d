const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her his how i if in into ' +
    'is it its may me my no not of on or our she should so some such than that the their them then there these ' +
    'they this to us was we were what when where which who whom why will with would you your'
  ).split(' '),
);

/** The words that carry meaning, in lower case; every word when all of them are stop words. */
export function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const meaningful = words.filter((word) => !STOP_WORDS.has(word));
  return meaningful.length > 0 ? meaningful : words;
}
