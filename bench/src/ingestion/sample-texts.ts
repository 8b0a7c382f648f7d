import { chunkPage, embeddedText } from '@quire/book/chunking';
import { BASE_URL, CHUNKS_PER_PAGE, generatedBook } from '../book/generated-book.js';

/** Texts as the worker embeds them, of pages spread over the whole book. */
export function sampleTexts(bookChunks: number, count: number): string[] {
  const pagesNeeded = Math.ceil(count / CHUNKS_PER_PAGE);
  const every = Math.max(1, Math.floor(bookChunks / CHUNKS_PER_PAGE / pagesNeeded));
  const texts: string[] = [];
  let position = 0;
  for (const { path, text } of generatedBook(bookChunks)) {
    position += 1;
    if (position % every !== 0) continue;
    const page = { path, text, format: 'markdown', layout: 'plain', base_url: BASE_URL } as const;
    texts.push(...chunkPage(page).chunks.map(embeddedText));
  }
  return texts.slice(0, count);
}
