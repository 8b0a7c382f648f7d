const NAMES = ['think', 'thinking', 'thought', 'thoughts', 'reasoning'];
const tags = NAMES.map((name) => `<${name}`);
const blanks = String.raw`[\s\p{Default_Ignorable_Code_Point}]*`;
const opening = new RegExp(String.raw`^${blanks}<(${NAMES.join('|')})\s{0,9}>`, 'iu');
const unfinished = new RegExp(String.raw`^${blanks}(<[a-z]*\s{0,9})?$`, 'iu');
/** A text that begins with more blanks than this is let go. */
const LONGEST_OPENING = 200;
const LONGEST_CLOSING = 30;

export interface Told {
  thought: string;
  text: string;
}

/**
 * Sets apart what a model thinks in front of its answer, in blocks such as `<think>…</think>`, while the answer
 * streams. A block that is not closed is all thought; a tag further on is text. The output does not depend on how the
 * text is cut.
 */
export class LeadingThoughts {
  private held = '';
  private closing: RegExp | undefined;
  private hasThought = false;
  private isAnswer = false;

  push(piece: string): Told {
    const told = { thought: '', text: '' };
    this.held += piece;
    while (this.step(told));
    return told;
  }

  /** The text is complete: gives back what was held. */
  end(): Told {
    const rest = this.held;
    this.held = '';
    return this.closing ? { thought: rest, text: '' } : { thought: '', text: this.afterThought(rest) };
  }

  /** Whether there is more to do with what is held. */
  private step(told: Told): boolean {
    if (this.isAnswer) {
      told.text += this.held;
      this.held = '';
      return false;
    }
    return this.closing ? this.stepInside(told, this.closing) : this.stepBefore();
  }

  private stepBefore(): boolean {
    const block = opening.exec(this.held);
    if (block && block[0].length <= LONGEST_OPENING) {
      this.closing = new RegExp(String.raw`</${block[1] ?? ''}\s{0,9}>`, 'i');
      this.held = this.held.slice(block[0].length);
      return true;
    }
    if (this.mayBegin()) return false;
    this.isAnswer = true;
    this.held = this.afterThought(this.held);
    return true;
  }

  private stepInside(told: Told, closing: RegExp): boolean {
    const end = closing.exec(this.held);
    if (end) {
      told.thought += this.held.slice(0, end.index);
      this.held = this.held.slice(end.index + end[0].length);
      this.closing = undefined;
      this.hasThought = true;
      return true;
    }
    const tag = this.held.lastIndexOf('<');
    const kept = tag >= 0 && this.held.length - tag <= LONGEST_CLOSING ? tag : this.held.length;
    told.thought += this.held.slice(0, kept);
    this.held = this.held.slice(kept);
    return false;
  }

  private mayBegin(): boolean {
    const start = this.held.length <= LONGEST_OPENING ? unfinished.exec(this.held) : null;
    if (!start) return false;
    const tag = (start[1] ?? '').toLowerCase();
    return tags.some((each) => each.startsWith(tag) || each === tag.trimEnd());
  }

  private afterThought(text: string): string {
    return this.hasThought ? text.trimStart() : text;
  }
}
