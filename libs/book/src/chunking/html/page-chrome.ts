import type { Element, Nodes } from 'hast';

const CHROME_TAGS = namesIn(`
  nav aside script style template noscript svg head title iframe button input select option
  optgroup textarea datalist rp noembed noframes
`);

/** Classes of elements that Docusaurus, mdBook and Sphinx add to a page's text. */
const CHROME_CLASSES = namesIn(`
  hash-link headerlink breadcrumbs theme-doc-breadcrumbs pagination-nav theme-edit-this-page
  theme-doc-toc-mobile theme-doc-toc-desktop table-of-contents theme-doc-footer
  theme-doc-version-badge theme-doc-version-banner theme-last-updated theme-doc-sidebar-container
  sidebar menu-bar nav-wrapper nav-wide-wrapper mobile-nav-chapters
`);

/** Asides with these classes are notes in the text; others are not part of it. */
const CONTENT_CLASSES = new Set(['starlight-aside']);

const CHROME_IDS = new Set(['sidebar', 'menu-bar', 'search-wrapper', 'searchbar-outer']);
const CHROME_ROLES = new Set(['navigation', 'search']);

/** Whether an element is not part of the text. */
export function isChrome(node: Nodes): boolean {
  if (node.type !== 'element') return false;
  const { tagName, properties } = node;
  return (
    (CHROME_TAGS.has(tagName) && !classesOf(node).some((name) => CONTENT_CLASSES.has(name))) ||
    // Hidden tabs are part of the text.
    (isSet(properties.hidden) && properties.role !== 'tabpanel') ||
    properties.ariaHidden === 'true' ||
    (tagName === 'dialog' && !isSet(properties.open)) ||
    CHROME_ROLES.has(String(properties.role)) ||
    CHROME_IDS.has(String(properties.id)) ||
    classesOf(node).some((name) => CHROME_CLASSES.has(name))
  );
}

function isSet(attribute: unknown): boolean {
  return attribute !== undefined && attribute !== null && attribute !== false;
}

function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

/** A set of names that are too many for quotes and commas. */
export function namesIn(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
