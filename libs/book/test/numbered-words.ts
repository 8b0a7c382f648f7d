/** Words that occur once in a page, by the part they belong to. */
export class NumberedWords {
  readonly prose: string[] = [];
  readonly noise: string[] = [];
  readonly headings: string[] = [];
  /** Words of the source that no chunk contains. */
  readonly holes: string[] = [];
  /** The top-level section of each word of prose. */
  readonly partOf = new Map<string, number>();
  private part = 0;
  private count = 0;

  /** Prose of this many words, in sentences. */
  text(length: number): string {
    const word = (_: unknown, index: number) =>
      this.proseWord() + (index % 5 === 4 ? 'ü🤖' : '') + (index % 8 === 7 ? '.' : '');
    return Array.from({ length }, word).join(' ');
  }

  proseWord(): string {
    const word = this.next('w');
    this.prose.push(word);
    this.partOf.set(word, this.part);
    return word;
  }

  noiseWord(): string {
    const word = this.next('noise');
    this.noise.push(word);
    return word;
  }

  hole(source: string): string {
    this.holes.push(source);
    return source;
  }

  heading(depth: number): string {
    if (depth <= 2) this.part += 1;
    const word = this.next('Heading');
    this.headings.push(word);
    return word;
  }

  private next(kind: string): string {
    this.count += 1;
    return `${kind}${this.count}`;
  }
}

export function wordsIn(text: string): Set<string> {
  return new Set(text.match(/(?:w|noise|Heading)\d+/g) ?? []);
}
