import { UnreadablePage } from '../source-errors.js';

/** How many bytes of a page browsers search for its character set. */
const HEAD_BYTES = 1024;

/** Decodes a page by its byte order mark, else the header's character set, else that of a `<meta>`. */
export function decodeHtml(bytes: Uint8Array, contentType: string): string {
  const label = byteOrderMark(bytes) ?? charsetOf(contentType) ?? charsetOfMeta(bytes) ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch (cause) {
    throw new UnreadablePage(`Unknown character set ${label}`, { cause });
  }
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

function charsetOfMeta(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const label = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1];
  // A label that is readable as ASCII is not in UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}
