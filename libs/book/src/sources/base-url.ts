import { UnusableSource } from './source-errors.js';

/** A base URL in its one spelling, since a book is known by it. */
export function normalBaseUrl(text: string): string {
  const url = webAddress(text);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Pages on disk do not say where they are published. */
export function requiredBaseUrl(text: string | undefined): string {
  if (text !== undefined) return normalBaseUrl(text);
  throw new UnusableSource(
    'Where are the pages published? Give the base URL, such as https://example.org/docs.',
  );
}

export function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UnusableSource(`${text} is no address of a web site: it must begin with http:// or https://.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UnusableSource('The address must not contain a user name or password.');
  }
  return url;
}
