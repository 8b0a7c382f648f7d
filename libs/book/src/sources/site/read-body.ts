import type { Response } from 'undici';
import { UnreadablePage } from '../source-errors.js';

/** Limits the decompressed size, which has no relation to that of the response. */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > maxBytes) throw new UnreadablePage(`Larger than ${maxBytes / 1024 / 1024} MB`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
