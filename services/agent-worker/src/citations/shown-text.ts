const LONGEST_LINE_START = 100;
const KEPT = 160;

/** What may stand in front of a fence: indentation, quote marks, the bullets of a list. */
const lead = String.raw`(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*`;
const lineStart = new RegExp(`^${lead}$`);
const openingFence = new RegExp(`^(${lead})(\`{3,}|~{3,})`);
const closingFence = /^([ \t>]*)(`{3,}|~{3,})[ \t\r]*$/;
const markerAtLineStart = new RegExp(String.raw`^${lead}\[\d+\]$`);

/**
 * What has been shown of an answer, as far as it decides how the next piece will be read: readers see what was
 * shown, not what the model wrote, so code begins and ends where the shown text says so.
 */
export class ShownText {
  /** The beginning of the current line. */
  private line = '';
  /** The end of everything. */
  private tail = '';
  private fence: { indent: number; run: string } | undefined;
  private onOpeningLine = false;

  add(text: string): void {
    this.tail = (this.tail + text).slice(-KEPT);
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) this.endLine();
      if (this.line.length < KEPT) this.line = (this.line + part).slice(0, KEPT);
      const mayOpen = part.includes('~') && !this.inFence;
      if (mayOpen && openingFence.exec(this.line)?.[2]?.startsWith('~')) this.openFence();
    }
  }

  /** The current line opens a fenced block. */
  openFence(): void {
    this.onOpeningLine = true;
  }

  get inFence(): boolean {
    return this.onOpeningLine || this.fence !== undefined;
  }

  get atLineStart(): boolean {
    return this.line.length <= LONGEST_LINE_START && lineStart.test(this.line);
  }

  get lastCharacter(): string {
    return this.tail.slice(-1);
  }

  /** Whether a backslash takes its meaning from the next character. */
  get escapes(): boolean {
    return (/\\+$/.exec(this.tail)?.[0].length ?? 0) % 2 === 1;
  }

  /** The end of the line from a bracket that is still open; empty if there is none. */
  get openBracket(): string {
    return /[[【][^[\]【】\n]*$/.exec(this.tail)?.[0] ?? '';
  }

  get endsInMarker(): boolean {
    return /\[\d+\]$/.test(this.tail);
  }

  /** Whether the line is a marker so far, which a colon would turn into the definition of a link. */
  get isMarkerAlone(): boolean {
    return markerAtLineStart.test(this.line);
  }

  private endLine(): void {
    if (this.onOpeningLine) {
      const [, indent = '', run = ''] = openingFence.exec(this.line) ?? [];
      this.fence = { indent: indent.length, run };
      this.onOpeningLine = false;
    } else if (this.fence && this.closes(this.fence)) {
      this.fence = undefined;
    }
    this.line = '';
  }

  private closes(fence: { indent: number; run: string }): boolean {
    const [, indent = '', run = ''] = closingFence.exec(this.line) ?? [];
    return run.startsWith(fence.run) && indent.length <= fence.indent + 3;
  }
}
