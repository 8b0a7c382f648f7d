const ALPHABET = ['a', 'é', ' ', '\n', '"', '\\', '\u2028', '[1]', '\u{1F916}', '\u{1F469}\u200d\u{1F680}'];

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[Math.floor(Math.random() * ALPHABET.length)]).join('');
}

/** Cuts anywhere, even within a surrogate pair, as tokens of a model may. */
export function randomCuts(text: string, longest: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + 1 + Math.floor(Math.random() * longest);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
