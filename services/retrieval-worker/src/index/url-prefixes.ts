/** A chunk's URL without the anchor. */
export const pageUrlOf = (url: string): string => url.split('#', 1).join();

/**
 * Every prefix of a page's URL that ends at a path segment, with and without the origin, so that a prefix filter
 * is an exact match with one of them: `https://x.org/docs/ros2` does not find `/docs/ros2-humble`.
 */
export function urlPrefixes(pageUrl: string): string[] {
  const { origin, pathname } = new URL(pageUrl);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const paths = segments.map((_, i) => `/${segments.slice(0, i + 1).join('/')}`);
  return [origin, ...paths.map((path) => origin + path), '/', ...paths];
}

/** A caller's prefix in the form under which `urlPrefixes` stores it; a prefix that is no URL matches nothing. */
export function normalisedPrefix(prefix: string): string {
  if (!URL.canParse(prefix, 'http://book')) return prefix;
  const { origin, pathname } = new URL(prefix, 'http://book');
  const path = pathname.replace(/\/+$/, '');
  return /^https?:/i.test(prefix) ? origin + path : path || '/';
}
