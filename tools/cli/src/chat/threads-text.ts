import type { ThreadList } from '@quire/shared/contracts';
import { counted } from '../counted.js';
import { plainLine } from '../plain-text.js';
import type { TextStyle } from '../text-style.js';

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** The threads by number, the current one marked. */
export function threadsText({ threads, next_cursor }: ThreadList, current: string, style: TextStyle): string {
  if (threads.length === 0) return 'There are no threads yet.\n';
  const lines = threads.map((thread, i) => {
    const mark = thread.session_id === current ? '*' : ' ';
    const about = `${counted(thread.message_count, 'message')}, ${moment.format(new Date(thread.updated_at))}`;
    return `${mark}${String(i + 1).padStart(3)}  ${plainLine(thread.title)} ${style.dim(`(${about})`)}\n`;
  });
  const more =
    next_cursor === undefined ? '' : `${style.dim(`The newest ${threads.length}; there are more.`)}\n`;
  return lines.join('') + more;
}
