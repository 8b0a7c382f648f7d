import { UnusableSource } from './source-errors.js';

/** The normalized base URL, which identifies a book. */
export function normalBaseUrl(text: string): string {
  const url = webAddress(text);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Pages on disk do not contain their address. */
export function requiredBaseUrl(text: string | undefined): string {
  if (text !== undefined) return normalBaseUrl(text);
  throw new UnusableSource(
    'Where are the pages published? Give the base URL, such as https://example.org/docs.',
  );
}

export function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UnusableSource(
      `${text} is not the address of a web site: it must start with http:// or https://.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UnusableSource('The address must not contain a user name or password.');
  }
  return url;
}
