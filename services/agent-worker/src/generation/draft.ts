import type { MarkupRemoved } from '@quire/shared/contracts';
import type { Addresses } from '../citations/addresses.js';
import { CitationChecker } from '../citations/citation-checker.js';
import { SignFilter } from '../citations/sign-filter.js';
import { NOT_FOUND_SIGN } from '../prompt/common-rules.js';
import { StorablePieces } from './storable-pieces.js';

/**
 * An answer on its way from the model to the reader: only what every store takes, without the words that are meant
 * for us, only with citations that name a passage and, where `addresses` are given, with links to these alone.
 */
export class Draft {
  text = '';
  private readonly storable = new StorablePieces();
  private readonly signs: SignFilter;
  private readonly checker: CitationChecker;

  constructor(
    isPassage: (number: number) => boolean,
    private readonly fenceKey: string,
    addresses?: Addresses,
  ) {
    this.signs = new SignFilter([NOT_FOUND_SIGN, fenceKey]);
    this.checker = new CitationChecker(isPassage, addresses);
  }

  /** Takes the next piece and gives back what can be shown. */
  push(piece: string): string {
    return this.shown(this.signs.push(this.storable.push(piece)));
  }

  end(): string {
    const rest = this.signs.push(this.storable.end()) + this.signs.end();
    return this.shown(rest) + this.keep(this.checker.end());
  }

  /** Passage numbers in the order of their first citation. */
  get cited(): readonly number[] {
    return this.checker.cited;
  }

  /** How much markup was taken out. */
  get removed(): MarkupRemoved | undefined {
    return this.checker.removed;
  }

  /** The model says that the answer is not there: at once, or after words that rest on nothing. */
  get isNotFound(): boolean {
    const { opening, seen } = this.signs;
    return opening === NOT_FOUND_SIGN || (seen.has(NOT_FOUND_SIGN) && this.cited.length === 0);
  }

  /** It repeats the prompt, which alone holds the key. */
  get echoesPrompt(): boolean {
    return this.signs.seen.has(this.fenceKey);
  }

  private shown(piece: string): string {
    return this.keep(this.checker.push(piece));
  }

  private keep(piece: string): string {
    // Behind the sign there is nothing for the reader.
    if (this.signs.opening !== undefined) return '';
    this.text += piece;
    return piece;
  }
}
