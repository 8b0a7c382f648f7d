import type { RetrievedChunk } from '@quire/shared/contracts';
import type { NumberedPassage } from '../search/numbered-passages.js';
import { fence } from './fence.js';

export function quotePassages(passages: readonly NumberedPassage[], key: string): string {
  return passages
    .map(({ number, chunk }) =>
      fence('passage', key, `[${number}] ${headingOf(chunk)}\n${passageText(chunk)}`),
    )
    .join('\n\n');
}

/** What the model reads of a passage: its text, with what stands next to it on the page where that was fetched. */
export function passageText({ before, text, after }: RetrievedChunk): string {
  return [before, text, after].filter(Boolean).join('\n\n');
}

function headingOf({ title, section }: RetrievedChunk): string {
  return [title, section].filter(Boolean).join(' > ');
}
