import { TOPIC_SUMMARY_MAX_CHARACTERS } from '@quire/shared/contracts';
import { snippet } from '@quire/shared/retrieval';
import { plainLine } from '../citations/plain-line.js';

/** What a model wrote when it was asked for a summary, on one line and no longer than it may be; undefined if nothing. */
export function readSummary(text: string): string | undefined {
  const storable = text.replaceAll('\u0000', '').toWellFormed();
  const line = shortLine(storable).replace(/^["'“‘«]+|["'”’»]+$/g, '');
  return line.trim() || undefined;
}

/** Cut before it is made plain: half of a code span would be none. */
function shortLine(text: string): string {
  for (let room = TOPIC_SUMMARY_MAX_CHARACTERS; room > 0;) {
    const line = plainLine(snippet(text, room));
    if (line.length <= TOPIC_SUMMARY_MAX_CHARACTERS) return line;
    room -= line.length - TOPIC_SUMMARY_MAX_CHARACTERS;
  }
  return '';
}
