const NAMES = ['think', 'thinking', 'thought', 'thoughts', 'reasoning'];
const tags = NAMES.map((name) => `<${name}`);
const blanks = String.raw`[\s\p{Default_Ignorable_Code_Point}]*`;
const opening = new RegExp(String.raw`^${blanks}<(${NAMES.join('|')})\s{0,9}>`, 'iu');
const unfinished = new RegExp(String.raw`^${blanks}(<[a-z]*\s{0,9})?$`, 'iu');
/** A text that starts with more blanks than this is passed on. */
const LONGEST_OPENING = 200;
const LONGEST_CLOSING = 30;

export interface Separated {
  thought: string;
  text: string;
}

/**
 * Separates the reasoning that a model writes before its answer, in blocks such as `<think>…</think>`, from the answer
 * while it streams. An unclosed block is all reasoning; a tag after the start of the answer is text. The output does
 * not depend on how the text is cut into pieces.
 */
export class LeadingThoughts {
  private held = '';
  private closing: RegExp | undefined;
  private hasThought = false;
  private isAnswer = false;

  push(piece: string): Separated {
    const out = { thought: '', text: '' };
    this.held += piece;
    while (this.step(out));
    return out;
  }

  /** The text is complete: returns what was held back. */
  end(): Separated {
    const rest = this.held;
    this.held = '';
    return this.closing ? { thought: rest, text: '' } : { thought: '', text: this.afterThought(rest) };
  }

  /** Returns whether the held text allows a further step. */
  private step(out: Separated): boolean {
    if (this.isAnswer) {
      out.text += this.held;
      this.held = '';
      return false;
    }
    return this.closing ? this.stepInside(out, this.closing) : this.stepBefore();
  }

  private stepBefore(): boolean {
    const block = opening.exec(this.held);
    if (block && block[0].length <= LONGEST_OPENING) {
      this.closing = new RegExp(String.raw`</${block[1] ?? ''}\s{0,9}>`, 'i');
      this.held = this.held.slice(block[0].length);
      return true;
    }
    if (this.mayOpen()) return false;
    this.isAnswer = true;
    this.held = this.afterThought(this.held);
    return true;
  }

  private stepInside(out: Separated, closing: RegExp): boolean {
    const end = closing.exec(this.held);
    if (end) {
      out.thought += this.held.slice(0, end.index);
      this.held = this.held.slice(end.index + end[0].length);
      this.closing = undefined;
      this.hasThought = true;
      return true;
    }
    const tag = this.held.lastIndexOf('<');
    const kept = tag >= 0 && this.held.length - tag <= LONGEST_CLOSING ? tag : this.held.length;
    out.thought += this.held.slice(0, kept);
    this.held = this.held.slice(kept);
    return false;
  }

  private mayOpen(): boolean {
    const start = this.held.length <= LONGEST_OPENING ? unfinished.exec(this.held) : null;
    if (!start) return false;
    const tag = (start[1] ?? '').toLowerCase();
    return tags.some((each) => each.startsWith(tag) || each === tag.trimEnd());
  }

  private afterThought(text: string): string {
    return this.hasThought ? text.trimStart() : text;
  }
}
