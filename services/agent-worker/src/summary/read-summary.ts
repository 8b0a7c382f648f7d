import { TOPIC_SUMMARY_MAX_CHARACTERS } from '@quire/shared/contracts';
import { snippet } from '@quire/shared/retrieval';

/** What a model wrote when it was asked for a summary, on one line and no longer than it may be; undefined if nothing. */
export function readSummary(text: string): string | undefined {
  const storable = text.replaceAll('\u0000', '').toWellFormed();
  const line = snippet(storable, TOPIC_SUMMARY_MAX_CHARACTERS).replace(/^["'“‘«]+|["'”’»]+$/g, '');
  return line.trim() || undefined;
}
