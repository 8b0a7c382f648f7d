import { TARGET_CHARACTERS } from '../chunk-size.js';
import type { OutlineEvent } from '../outline.js';
import { cutSpan, type CutKind, type Span } from '../spans.js';
import { shownText, type ShownSource } from './shown-source.js';

const kindOf: Partial<Record<string, CutKind>> = { paragraph: 'prose', heading: 'prose', code: 'code' };

/** Cuts a long block without child blocks, between sentences or lines. */
export function* cutLeaf(page: ShownSource, type: string, span: Span): Generator<OutlineEvent, void> {
  for (const part of cutSpan(page.masked, span, TARGET_CHARACTERS, kindOf[type] ?? 'rows'))
    yield { type: 'piece', piece: { ...part, text: shownText(page, part) } };
}
