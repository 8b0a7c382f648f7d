import type { MarkupRemoved } from '@quire/shared/contracts';
import type { Addresses } from './addresses.js';
import { readEntity } from './entities.js';
import { readMarker } from './marker-syntax.js';
import {
  addressEnd,
  beginsTag,
  hidesSyntax,
  innerOpenings,
  leavesSign,
  opensInner,
  readAutolink,
  readDomain,
  readIpv6,
  readLink,
  readOpening,
  trailingPunctuation,
  unfinishedOpening,
} from './markup-syntax.js';
import type { ShownText } from './shown-text.js';
import { OPENING, opensBracket } from './undisguised.js';

/** A link text without anything that could end the link or has to be changed. */
const surelyText = new RegExp(`^(?!.*www)[^${OPENING}\\]<>\`\\\\!|\\n:@&($]*$`, 'i');

const LONGEST_SCHEME = 'https'.length;

/** What to do with the start of the held text. */
export interface Step {
  take: number;
  show?: string;
  /** Text that replaces what was taken and is read again: the text of removed markup. */
  putBack?: string;
}

interface Reading {
  final: boolean;
  inMath: boolean;
  /** A marker was dropped directly before. */
  isApart: boolean;
}

/**
 * Removes links, images and HTML from an answer, except links to its sources. A bare address, which renderers would link,
 * becomes code, so that readers still see it; other markup is reduced to its text.
 */
export class SafeMarkup {
  readonly removed: MarkupRemoved = { links: 0, images: 0, html: 0 };
  /** A bare address is being shown as code, and its end has not arrived. */
  private inAddress = false;

  constructor(
    private readonly shown: ShownText,
    private readonly addresses: Addresses,
  ) {}

  /** Returns the step if the held text starts with markup, `wait` if more text is needed to decide. */
  next(held: string, { final, inMath, isApart }: Reading): Step | 'wait' | undefined {
    if (this.inAddress) return this.nextOfAddress(held, final);
    const first = held.charAt(0);
    if (/[hfw]/i.test(first)) return this.nextAddress(held, final, isApart);
    // Renderers link an e-mail address even if its `@` is escaped.
    if (first === '@') return this.nextEmail(held, final);
    if (/[:.]/.test(first)) return this.nextInner(held, final, isApart);
    if (!/[!\]<&]/.test(first) || this.shown.escapes) return undefined;
    if (first === '!') return this.nextImage(held, final);
    if (first === ']') return this.nextClosing(held, final);
    if (first === '<') return this.nextAngle(held, final, inMath);
    const entity = readEntity(held);
    if (entity === 'unfinished' && !final) return 'wait';
    if (typeof entity !== 'object') return { take: 1, show: '&' };
    return opensBracket(entity) ? undefined : { take: 1, show: hidesSyntax(entity) ? '&amp;' : '&' };
  }

  /** The same for a text that starts with a bracket but with no marker. */
  nextLink(held: string, final: boolean, mark = ''): Step | 'wait' | undefined {
    if (this.shown.escapes) return undefined;
    const link = readLink(held.slice(mark.length));
    if (link === 'unfinished') return final ? undefined : 'wait';
    if (!link) return undefined;
    const take = mark.length + link.length;
    if (this.addresses.has(link.address)) {
      if (surelyText.test(link.text)) return { take, show: `${mark}[${link.text}](${link.address})` };
      return { take, show: `${mark}[`, putBack: `${link.text}](<${link.address}>)` };
    }
    this.removed[mark === '' ? 'links' : 'images'] += 1;
    return { take, putBack: link.text };
  }

  /** How much of plain text can be shown before the next address, or the start of one. */
  plainLength(text: string, isAll: boolean, isApart: boolean): number {
    const before = isApart ? '' : this.shown.tail;
    for (const { index } of text.matchAll(/[hfw]/gi)) {
      const isWordStart = !/[a-z]/i.test(index > 0 ? text.charAt(index - 1) : this.shown.lastCharacter);
      if (index > 0 && isWordStart && readOpening(text.slice(index)) > 0)
        return innerStart(before, text, index);
    }
    const length = isAll
      ? text.length - Math.min(text.length, unfinishedOpening(before + text))
      : text.length;
    return innerStart(before, text, length);
  }

  /** Closes an address that is shown as code when the answer ends. */
  end(): string {
    return this.inAddress ? '`' : '';
  }

  private nextImage(held: string, final: boolean): Step | 'wait' | undefined {
    if (held.length === 1 && !final) return 'wait';
    if (held.charAt(1) !== '[') return { take: 1, show: '!' };
    const marker = readMarker(held.slice(1));
    if (marker === 'unfinished' && !final) return 'wait';
    return (
      (typeof marker === 'object' ? undefined : this.nextLink(held, final, '!')) ?? { take: 1, show: '!' }
    );
  }

  private nextClosing(held: string, final: boolean): Step | 'wait' {
    if (held.length === 1 && !final) return 'wait';
    if (held.charAt(1) !== '(') return { take: 1, show: ']' };
    const [whole = '', address = '', closing] = /^\]\(<?([^\s()<>]*)(>?\))?/.exec(held) ?? [];
    // Angle brackets end the address there even if this bracket closes no link.
    if (closing && this.addresses.has(address)) return { take: whole.length, show: `](<${address}>)` };
    if (/^>?$/.test(held.slice(whole.length)) && !closing && !final && this.addresses.startWith(address))
      return 'wait';
    this.removed.links += 1;
    return { take: 1, show: ']' };
  }

  private nextAngle(held: string, final: boolean, inMath: boolean): Step | 'wait' {
    if (held.length === 1) return final ? { take: 1, show: '<' } : 'wait';
    const next = held.charAt(1);
    if (leavesSign.test(next)) return { take: 1, show: '<' };
    if (inMath) return { take: 1, show: '< ' };
    const address = readAutolink(held);
    if (address === 'unfinished' && !final) return 'wait';
    if (address !== undefined && address !== 'unfinished') {
      const take = address.length + 2;
      if (this.addresses.has(address)) return { take, show: `<${address}>` };
      this.removed.links += 1;
      return { take, show: `\`${address}\`` };
    }
    if (beginsTag.test(next)) this.removed.html += 1;
    return { take: 1, show: '&lt;' };
  }

  private nextEmail(held: string, final: boolean): Step | 'wait' {
    const isLocal = /[\w.+-]\\?$/.test(this.shown.tail);
    const length = isLocal ? readDomain(held, final) : 0;
    if (length === 'unfinished') return 'wait';
    if (length === 0) return { take: 1, show: '@' };
    this.removed.links += 1;
    return { take: length, show: this.asCode(`${held.slice(0, length)}\``) };
  }

  private nextInner(held: string, final: boolean, isApart: boolean): Step | 'wait' | undefined {
    const opens = !isApart && opensInner(this.shown.tail, held);
    if (opens === 'unfinished') return final ? undefined : 'wait';
    if (!opens) return undefined;
    this.removed.links += 1;
    this.inAddress = true;
    return { take: 0, show: this.asCode('') };
  }

  private nextAddress(held: string, final: boolean, isApart: boolean): Step | 'wait' | undefined {
    const opened = readOpening(held);
    if (opened === 0 || (!isApart && /[a-z]/i.test(this.shown.lastCharacter))) return undefined;
    const { run, isWhole } = runOf(held, final);
    if (run.length === opened) {
      const host = isWhole && !run.endsWith('.') ? readIpv6(held.slice(opened)) : undefined;
      if (!isWhole || (host === 'unfinished' && !final)) return 'wait';
      if (typeof host === 'number') {
        this.removed.links += 1;
        this.inAddress = true;
        return { take: opened + host, show: this.asCode(held.slice(0, opened + host)) };
      }
      // Some renderers link even `www.` alone.
      return { take: opened, show: run.endsWith('.') ? this.asCode(`${run}\``) : run };
    }
    const bare = run.replace(trailingPunctuation, '');
    const known = [run, bare].find((address) => this.addresses.has(address));
    if (!isWhole && (known !== undefined || this.addresses.startWith(run))) return 'wait';
    if (known !== undefined) return this.asSource(known, run.slice(known.length), held.charAt(run.length));
    this.removed.links += 1;
    this.inAddress = true;
    return { take: 0, show: this.asCode('') };
  }

  /** If a renderer might read a longer address than the source's, angle brackets mark its end. */
  private asSource(address: string, punctuation: string, behind: string): Step {
    const isPlain = /^[.,;!?)'"]*$/.test(punctuation) && /^\s?$/.test(behind) && /[\w/]$/.test(address);
    return { take: address.length, show: isPlain ? address : `${this.shown.escapes ? ' ' : ''}<${address}>` };
  }

  private nextOfAddress(held: string, final: boolean): Step | 'wait' {
    const { run, isWhole } = runOf(held, final);
    const body = run.replace(trailingPunctuation, '');
    if (isWhole) {
      this.inAddress = false;
      return { take: body.length, show: `${body}\`` };
    }
    return body === '' ? 'wait' : { take: body.length, show: body };
  }

  private asCode(text: string): string {
    return `${this.shown.escapes ? ' ' : ''}\`${text}`;
  }
}

/** Index of the first address, or possible address, within a word of the text; at most `length`. */
function innerStart(before: string, text: string, length: number): number {
  const start = before.slice(-LONGEST_SCHEME);
  for (const found of innerOpenings(start + text.slice(0, length))) {
    const at = found - start.length;
    if (at > 0 && opensInner(start + text.slice(0, at), text.slice(at)) !== false) return at;
  }
  return length;
}

/** The text up to the end of a bare address, and whether that end has arrived. */
function runOf(held: string, final: boolean): { run: string; isWhole: boolean } {
  const end = held.search(addressEnd);
  return { run: end < 0 ? held : held.slice(0, end), isWhole: end >= 0 || final };
}
