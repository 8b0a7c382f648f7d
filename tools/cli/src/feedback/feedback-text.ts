import { counted, grouped } from '../counted.js';
import { plainTable } from '../golden/plain-table.js';
import { plainLine } from '../plain-text.js';
import type { FeedbackReport, Rated } from './feedback-report.js';

export function feedbackText({ since, total, by_day, by_mode, comments }: FeedbackReport): string {
  const [day = since] = since.split('T');
  const count = total.up + total.down;
  if (count === 0) return `No answer was rated since ${day}.\n`;
  const parts = [
    `${counted(count, 'rating')} since ${day}: ${grouped(total.up)} up, ${grouped(total.down)} down, ${percent(total)} up\n`,
    `By day (UTC)\n${ratedTable(by_day.map((each) => [each.day, each]))}`,
    `By mode\n${ratedTable(by_mode.map((each) => [each.mode, each]))}`,
  ];
  if (comments.length > 0) parts.push(`Newest comments\n${comments.map(commentText).join('')}`);
  return parts.join('\n');
}

function ratedTable(rows: readonly [label: string, rated: Rated][]): string {
  return plainTable(
    ['', 'up', 'down', 'share up'],
    rows.map(([label, rated]) => [label, grouped(rated.up), grouped(rated.down), percent(rated)]),
  );
}

const percent = ({ share_up: share }: Rated) => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);

function commentText(comment: FeedbackReport['comments'][number]): string {
  const { request_id, tenant, rating, mode } = comment;
  const when = comment.at.slice(0, 16).replace('T', ' ');
  return [
    `  ${when}  ${rating}, ${mode}: ${plainLine(comment.question)}`,
    `    ${plainLine(comment.comment)}`,
    `    ${plainLine(`${tenant}, ${callerText(comment)}`)}, request ${request_id}\n`,
  ].join('\n');
}

const callerText = ({ caller, key }: FeedbackReport['comments'][number]) =>
  key ? `${key.name} (${key.prefix})` : caller;
