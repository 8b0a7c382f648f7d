import type { FailedPage, LeftOutPage } from '@quire/ingestion';
import { counted, grouped } from '../counted.js';

/** More names than this are shown on request alone. */
const FEW = 5;

/** Counts by reason, with the names if there are few. */
export function leftOutLines(pages: readonly LeftOutPage[], everyName = false): string[] {
  if (pages.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { reason } of pages) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const byReason = [...counts].map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ');
  const names = pages.map(
    ({ path, reason, of }) => `  ${path}: ${reason}${of === undefined ? '' : ` of ${of}`}`,
  );
  return [
    `${grouped(pages.length)} left out: ${byReason}`,
    ...(everyName || pages.length <= FEW ? names : ['  (their names: --verbose)']),
  ];
}

export function failureLines(failed: readonly FailedPage[]): string[] {
  if (failed.length === 0) return [];
  return [
    `${counted(failed.length, 'page')} failed:`,
    ...failed.map(({ path, reason }) => `  ${path}: ${reason}`),
  ];
}
