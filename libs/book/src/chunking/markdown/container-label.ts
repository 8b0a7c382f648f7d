import type { ListItem, RootContent } from 'mdast';
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import { toString as plainText } from 'mdast-util-to-string';
import { EXIT, visit } from 'unist-util-visit';

/**
 * The label of a tab or a fold, which acts as a heading. A fold that is one piece belongs to the text around it; a tab
 * is seen alone when its group was split.
 */
export function sectionLabel(block: RootContent | ListItem, isWhole: boolean): string {
  if (block.type === 'detailsElement') return isWhole ? '' : block.summary;
  if (block.type !== 'mdxJsxFlowElement') return '';
  if (block.name === 'TabItem') return attribute(block, 'label') ?? attribute(block, 'value') ?? '';
  return block.name === 'details' && !isWhole ? summaryOf(block) : '';
}

function attribute({ attributes }: MdxJsxFlowElement, name: string): string | undefined {
  for (const candidate of attributes)
    if (
      candidate.type === 'mdxJsxAttribute' &&
      candidate.name === name &&
      typeof candidate.value === 'string'
    )
      return candidate.value;
  return undefined;
}

function summaryOf(details: MdxJsxFlowElement): string {
  let summary: MdxJsxFlowElement | MdxJsxTextElement | undefined;
  visit(details, (node) => {
    if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return undefined;
    if (node.name !== 'summary') return undefined;
    summary = node;
    return EXIT;
  });
  return summary ? plainText(summary).replaceAll(/\s+/g, ' ').trim() : '';
}
