export interface PageAddress {
  baseUrl: string;
  /** Below the book's root, with forward slashes and extension. */
  path: string;
  slug?: string | undefined;
  id?: string | undefined;
}

/** The address at which Docusaurus serves a page: an index page is its folder, number prefixes go. */
export function pageUrl({ baseUrl, path, slug, id }: PageAddress): string {
  const folders = path.split('/');
  const fileName = folders.pop()?.replace(/\.mdx?$/i, '') ?? '';
  const folder = folders.map((name) => `${encodeURIComponent(withoutNumberPrefix(name))}/`).join('');
  const resolve = (below: string) => new URL(below, `http://book/${folder}`).pathname;
  const route = () => {
    if (slug !== undefined) return resolve(slug);
    if (isFolderIndex(fileName, folders.at(-1))) return `/${folder}`;
    return resolve(`./${encodeURIComponent(id ?? withoutNumberPrefix(fileName))}`);
  };
  return baseUrl.replace(/\/+$/, '') + route();
}

/** The book's part a page belongs to: its first folder, or nothing for a page at the root. */
export function moduleOf(path: string): string {
  const [first, ...rest] = path.split('/');
  return rest.length === 0 || first === undefined ? '' : withoutNumberPrefix(first);
}

/** `02-topics` → `topics`; dates and versions (`2024-11-notes`, `7.0-foo`) stay. */
export function withoutNumberPrefix(name: string): string {
  if (/^\d+[-_.]\d+/.test(name)) return name;
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name;
}

function isFolderIndex(fileName: string, folder: string | undefined): boolean {
  const name = fileName.toLowerCase();
  return name === 'index' || name === 'readme' || name === folder?.toLowerCase();
}
