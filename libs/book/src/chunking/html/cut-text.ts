import type { Element, Nodes } from 'hast';
import { toText } from 'hast-util-to-text';
import { TARGET_CHARACTERS } from '../chunk-size.js';
import type { Piece } from '../outline.js';
import { spanOf } from '../span-of.js';
import { cutSpan, type CutKind, type Span } from '../spans.js';
import { isFlow } from './flow-elements.js';
import { isChrome } from './page-chrome.js';
import { alignWithSource } from './source-alignment.js';

interface AlignedText {
  text: string;
  /** The source offset of each UTF-16 unit. */
  source: Span[];
}

/** Cuts long text within its text nodes, after sentences or lines. */
export function cutText(source: string, nodes: readonly Nodes[], whole: Span, kind: CutKind): Piece[] {
  const aligned: AlignedText = { text: '', source: [] };
  for (const node of nodes) collect(source, node, aligned);
  const parts = cutSpan(aligned.text, { start: 0, end: aligned.text.length }, TARGET_CHARACTERS, kind);
  return parts.map(({ start, end }, index) => {
    const value = aligned.text.slice(start, end);
    return {
      start: index === 0 ? whole.start : (aligned.source[start]?.start ?? whole.start),
      end: index === parts.length - 1 ? whole.end : (aligned.source[end - 1]?.end ?? whole.end),
      text: kind === 'prose' ? toText({ type: 'text', value }) : value,
    };
  });
}

function collect(source: string, node: Nodes, into: AlignedText): void {
  if (isChrome(node)) return;
  const span = spanOf(node);
  if (node.type === 'text') {
    const unknown = () => Array.from({ length: node.value.length }, () => span);
    into.text += node.value;
    for (const unit of alignWithSource(node.value, source, span) ?? unknown()) into.source.push(unit);
  } else if (node.type === 'element') {
    if (node.tagName === 'br') breakLine(into, { start: span.start, end: span.start });
    collectChildren(source, node, into);
  }
}

function collectChildren(source: string, element: Element, into: AlignedText): void {
  const onOwnLines = isFlow(element);
  const { start, end } = spanOf(element);
  if (onOwnLines && !into.text.endsWith('\n')) breakLine(into, { start, end: start });
  for (const child of element.children) collect(source, child, into);
  if (onOwnLines && !into.text.endsWith('\n')) breakLine(into, { start: end, end });
}

function breakLine(into: AlignedText, at: Span): void {
  into.text += '\n';
  into.source.push(at);
}
