import type { Element, Nodes } from 'hast';
import { EXIT, visit } from 'unist-util-visit';

/** The anchor of a heading: its id, or that of an anchor inside. */
export function anchorOf(heading: Element): string | undefined {
  return idOf(heading) ?? anchorIn(heading);
}

/** The id of the first `<a id>` or `<a name>`. */
export function anchorIn(...nodes: Nodes[]): string | undefined {
  let anchor: string | undefined;
  for (const node of nodes) {
    visit(node, 'element', (element) => {
      if (element.tagName === 'a') anchor ??= idOf(element);
      return anchor === undefined ? undefined : EXIT;
    });
  }
  return anchor;
}

export function idOf({ properties: { id, name } }: Element): string | undefined {
  return [id, name].find((value) => typeof value === 'string' && value !== '');
}
