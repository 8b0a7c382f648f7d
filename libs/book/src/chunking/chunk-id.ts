import { createHash } from 'node:crypto';

const NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/**
 * A name-based UUID (RFC 9562, version 5, URL namespace): the same text in the same section of the same page keeps its
 * id in every ingestion, whatever is inserted around it.
 */
export function chunkId(book: string, url: string, contentHash: string, occurrence: number): string {
  const digest = createHash('sha1')
    .update(NAMESPACE)
    .update(`${book}\n${url}\n${contentHash}\n${occurrence}`)
    .digest();
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
