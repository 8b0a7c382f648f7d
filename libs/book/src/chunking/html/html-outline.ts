import type { Element, Nodes } from 'hast';
import { TARGET_CHARACTERS, WHOLE_BLOCK_CHARACTERS } from '../chunk-size.js';
import type { OutlineEvent, Piece } from '../outline.js';
import { spanOf } from '../span-of.js';
import { trimSpan, type CutKind, type Span } from '../spans.js';
import { cutText } from './cut-text.js';
import { headingDepth, holdsFlow, holdsHeading, isFlow } from './flow-elements.js';
import { anchorIn, anchorOf, idOf } from './html-anchors.js';
import { cutTable } from './html-table.js';
import { isChrome } from './page-chrome.js';
import { lineText, renderedText } from './rendered-text.js';

type Events = Generator<OutlineEvent, void>;

interface FlowContext {
  source: string;
  opensSections: boolean;
  /** Whether a header or footer here belongs to the page, not to a part of it. */
  inFrame: boolean;
  /** The id of an empty anchor or a section that starts here; the next heading gets it. */
  anchor: { pending: string | undefined };
}

const CONTAINERS = new Set(['ul', 'ol', 'menu', 'dl', 'blockquote', 'figure', 'details', 'li', 'dt', 'dd']);
const LIST_PARTS = new Set(['li', 'dt', 'dd']);
const SECTIONING = new Set(['article', 'section', 'main', 'blockquote', 'li']);

/** The page in reading order: a list or quote that fits is one piece, a larger one is split into its children. */
export function htmlOutline(source: string, content: readonly Nodes[], inFrame: boolean): Events {
  return flow({ source, opensSections: true, inFrame, anchor: { pending: undefined } }, content);
}

function* flow(context: FlowContext, nodes: readonly Nodes[]): Events {
  let line: Nodes[] = [];
  for (const node of nodes) {
    if (!isFlow(node)) {
      line.push(node);
      continue;
    }
    yield* lineEvents(context, line);
    line = [];
    if (context.inFrame && (node.tagName === 'header' || node.tagName === 'footer')) yield { type: 'noise' };
    else if (!isChrome(node)) yield* elementEvents(context, node);
  }
  yield* lineEvents(context, line);
}

/** Text between blocks. */
function* lineEvents(context: FlowContext, line: readonly Nodes[]): Events {
  const shown = line.filter((node) => renderedText(node) !== '');
  const [first, last] = [shown[0], shown.at(-1)];
  const nodes = first && last ? line.slice(line.indexOf(first), line.lastIndexOf(last) + 1) : line;
  const start = first ? spanOf(first).start : 0;
  yield* textEvents(
    context,
    nodes,
    { start, end: last ? spanOf(last).end : start },
    'prose',
    TARGET_CHARACTERS,
  );
}

function* elementEvents(context: FlowContext, element: Element): Events {
  const depth = headingDepth(element);
  if (depth !== undefined && context.opensSections) {
    yield* headingEvents(context, element, depth);
  } else if (element.tagName === 'table' && !holdsHeading(element)) {
    yield* tableEvents(context, element);
  } else if (element.tagName === 'pre') {
    yield* textEvents(context, [element], spanOf(element), 'code', WHOLE_BLOCK_CHARACTERS);
  } else if (CONTAINERS.has(element.tagName)) {
    yield* containerEvents(context, element);
  } else if (holdsFlow(element)) {
    if (element.tagName === 'section') context.anchor.pending = idOf(element) ?? context.anchor.pending;
    const inFrame = context.inFrame && !SECTIONING.has(element.tagName);
    yield* flow({ ...context, inFrame }, element.children);
  } else {
    yield* textEvents(context, [element], spanOf(element), 'prose', TARGET_CHARACTERS);
  }
}

function* headingEvents({ source, anchor }: FlowContext, heading: Element, depth: number): Events {
  const text = lineText(heading);
  const named = anchorOf(heading) ?? anchor.pending;
  anchor.pending = undefined;
  if (text !== '')
    yield { type: 'heading', depth, text, anchor: named, line: pieceOf(source, spanOf(heading), text) };
}

function* containerEvents(context: FlowContext, container: Element): Events {
  const isFold = container.tagName === 'details';
  const limit = LIST_PARTS.has(container.tagName) ? WHOLE_BLOCK_CHARACTERS : TARGET_CHARACTERS;
  const mustBeSplit = isFold && context.opensSections && holdsHeading(container);
  if (renderedText(container).length <= limit && !mustBeSplit) {
    yield* textEvents(context, [container], spanOf(container), 'prose', limit);
    return;
  }
  const label = isFold ? summaryOf(container) : '';
  if (label !== '') yield { type: 'enter', label };
  yield* flow(
    { ...context, opensSections: context.opensSections && isFold, inFrame: false },
    container.children,
  );
  if (label !== '') yield { type: 'leave' };
}

function* tableEvents(context: FlowContext, table: Element): Events {
  const text = renderedText(table);
  if (text.length <= WHOLE_BLOCK_CHARACTERS) {
    yield* textEvents(context, [table], spanOf(table), 'rows', WHOLE_BLOCK_CHARACTERS);
    return;
  }
  // Rows of a split table share no chunk with other blocks.
  for (const piece of cutTable(context.source, table)) {
    yield { type: 'noise' };
    yield { type: 'piece', piece };
  }
  yield { type: 'noise' };
}

function* textEvents(
  context: FlowContext,
  nodes: readonly Nodes[],
  span: Span,
  kind: CutKind,
  limit: number,
): Events {
  const text = renderedText(...nodes);
  if (text === '') {
    context.anchor.pending = anchorIn(...nodes) ?? context.anchor.pending;
    return;
  }
  context.anchor.pending = undefined;
  const pieces =
    text.length <= limit ? [pieceOf(context.source, span, text)] : cutText(context.source, nodes, span, kind);
  for (const piece of pieces) yield { type: 'piece', piece };
}

function summaryOf(details: Element): string {
  const summary = details.children.find((child) => child.type === 'element' && child.tagName === 'summary');
  return summary ? lineText(summary) : '';
}

function pieceOf(source: string, span: Span, text: string): Piece {
  return { ...trimSpan(source, span), text };
}
