import type { MarkupRemoved } from '@quire/shared/contracts';
import type { Addresses } from '../citations/addresses.js';
import { CitationChecker } from '../citations/citation-checker.js';
import { SignFilter } from '../citations/sign-filter.js';
import { NOT_FOUND_SIGN } from '../prompt/common-rules.js';
import { StorablePieces } from './model-text.js';

/**
 * Turns a model's streamed text into what clients may see: storable characters, no signs meant for the program, only
 * citations that name a passage and, if `addresses` are given, only links to those.
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

  /** Returns what can be shown after the next piece. */
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

  /** How much markup was removed. */
  get removed(): MarkupRemoved | undefined {
    return this.checker.removed;
  }

  /** The model says that the material does not hold the answer: at the start, or after text without citations. */
  get isNotFound(): boolean {
    const { opening, seen } = this.signs;
    return opening === NOT_FOUND_SIGN || (seen.has(NOT_FOUND_SIGN) && this.cited.length === 0);
  }

  /** The text repeats the prompt: nothing else holds the fence key. */
  get echoesPrompt(): boolean {
    return this.signs.seen.has(this.fenceKey);
  }

  private shown(piece: string): string {
    return this.keep(this.checker.push(piece));
  }

  private keep(piece: string): string {
    // Text after an opening sign is not for the reader.
    if (this.signs.opening !== undefined) return '';
    this.text += piece;
    return piece;
  }
}
