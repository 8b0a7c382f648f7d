import type { Chunk } from '@quire/shared/contracts';

/** A passage out of its place says too little: it is embedded with its heading path in front. */
export function embeddedText({
  chapter,
  section,
  text,
}: Pick<Chunk, 'chapter' | 'section' | 'text'>): string {
  return `${section === chapter ? chapter : `${chapter} > ${section}`}\n\n${text}`;
}
