import type { SiteLayout } from '@quire/shared/contracts';
import GithubSlugger from 'github-slugger';
import type { Heading, Root } from 'mdast';
import { visit } from 'unist-util-visit';
import { headingName } from './heading-id.js';

export interface AnchoredHeading {
  text: string;
  anchor: string | undefined;
}

/** Counts every heading, also inside quotes: sites number repeated anchors over the whole page. */
export function headingAnchors(root: Root, layout: SiteLayout): Map<Heading, AnchoredHeading> {
  const anchors = new Map<Heading, AnchoredHeading>();
  const slug = layout === 'mdbook' ? mdbookSlugger() : githubSlugger();
  visit(root, 'heading', (heading) => {
    const { text, id } = headingName(heading, layout);
    // Docusaurus slugs the text with the space before a comment or icon.
    const anchor = id ?? slug(layout === 'docusaurus' ? text : text.trim());
    // Docusaurus renders an H1 without id.
    const hasAnchor = anchor !== '' && !(layout === 'docusaurus' && heading.depth === 1);
    anchors.set(heading, {
      text: text.replaceAll(/\s+/g, ' ').trim(),
      anchor: hasAnchor ? anchor : undefined,
    });
  });
  return anchors;
}

function githubSlugger(): (text: string) => string {
  const slugger = new GithubSlugger();
  return (text) => slugger.slug(text);
}

/** As in mdBook 0.5: the first number that is free among generated ids; ids of authors are ignored. */
function mdbookSlugger(): (text: string) => string {
  /** For each id, the first number that may be free. */
  const taken = new Map<string, number>();
  return (text) => {
    const id = normalizeId(text);
    let number = taken.get(id) ?? 0;
    let free = number === 0 ? id : `${id}-${number}`;
    while (taken.has(free)) {
      number += 1;
      free = `${id}-${number}`;
    }
    taken.set(free, 1).set(id, number + 1);
    return free;
  };
}

/** As in mdBook's `id_from_content`: each character is lowercased by itself. */
function normalizeId(text: string): string {
  return text
    .replaceAll(/[^\p{Alphabetic}\p{N}_\s-]/gu, '')
    .replaceAll(/\s/g, '-')
    .replaceAll(/\p{Uppercase}/gu, (letter) => letter.toLowerCase());
}
