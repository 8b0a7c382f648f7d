import type { AnswerMode, Rating } from '@quire/shared/contracts';
import {
  feedbackByDay,
  feedbackByMode,
  newestComments,
  type Database,
  type FeedbackScope,
  type RatedGroup,
} from '@quire/shared/database';

/** `share_up` is null without ratings. */
export interface Rated {
  up: number;
  down: number;
  share_up: number | null;
}

export interface FeedbackReport {
  since: string;
  tenant: string | null;
  total: Rated;
  by_day: (Rated & { day: string })[];
  by_mode: (Rated & { mode: AnswerMode })[];
  comments: {
    request_id: string;
    tenant: string;
    caller: string;
    /** Null when the gateway requires no keys. */
    key: { name: string; prefix: string } | null;
    rating: Rating;
    mode: AnswerMode;
    question: string;
    comment: string;
    at: string;
  }[];
}

export async function feedbackReport(
  db: Database,
  scope: FeedbackScope,
  commentCount: number,
): Promise<FeedbackReport> {
  const days = await feedbackByDay(db, scope);
  const modes = await feedbackByMode(db, scope);
  const comments = await newestComments(db, scope, commentCount);
  const total = days.reduce(together, { up: 0, down: 0 });
  return {
    since: scope.since.toISOString(),
    tenant: scope.tenant ?? null,
    total: { ...total, share_up: shareOf(total.up, total.down) },
    by_day: days.map(({ day, up, down }) => ({ day, up, down, share_up: shareOf(up, down) })),
    by_mode: modes.map(({ mode, up, down }) => ({ mode, up, down, share_up: shareOf(up, down) })),
    comments: comments.map(({ requestId, tenant, caller, key, rating, mode, question, comment, at }) => ({
      request_id: requestId,
      tenant,
      caller,
      key,
      rating,
      mode,
      question,
      comment,
      at: at.toISOString(),
    })),
  };
}

const together = (a: RatedGroup, b: RatedGroup): RatedGroup => ({ up: a.up + b.up, down: a.down + b.down });

function shareOf(up: number, down: number): number | null {
  const count = up + down;
  return count === 0 ? null : Math.round((1000 * up) / count) / 1000;
}
