import { UnreadablePage } from '../source-errors.js';

/** A file's text without byte order mark; UTF-8 unless the mark names UTF-16. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const name = encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
    throw new UnreadablePage(`The file is not valid ${name}`, { cause });
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}
