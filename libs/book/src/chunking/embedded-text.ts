import type { Chunk } from '@quire/shared/contracts';

/** The heading path followed by the passage, which alone would lack its context. */
export function embeddedText({
  chapter,
  section,
  text,
}: Pick<Chunk, 'chapter' | 'section' | 'text'>): string {
  return `${section === chapter ? chapter : `${chapter} > ${section}`}\n\n${text}`;
}
