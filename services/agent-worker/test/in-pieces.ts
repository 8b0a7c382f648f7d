import fc from 'fast-check';

interface StreamingTransform {
  push(text: string): string;
  end(): string;
}

/** Lengths of the pieces that a text is cut into, in characters; repeated as needed. */
export const cuts = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }),
);

/** The output of a streaming transform for a text in pieces of these lengths. */
export function inPieces(transform: StreamingTransform, text: string, lengths: readonly number[]): string {
  const characters = Array.from(text);
  let out = '';
  for (let at = 0, i = 0; at < characters.length; i += 1) {
    const length = lengths[i % lengths.length] ?? 1;
    out += transform.push(characters.slice(at, at + length).join(''));
    at += length;
  }
  return out + transform.end();
}
