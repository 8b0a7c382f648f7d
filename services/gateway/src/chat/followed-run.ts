import type { NewRun } from '@quire/shared/database';

/** What serving a client needs of a run. The question itself is not kept in memory for as long as a stream lasts. */
export interface FollowedRun extends Pick<NewRun, 'id' | 'deadlineAt'> {
  /** It is to be cancelled if no client follows it any more. */
  needsClient: boolean;
  /** Its last client has left it. */
  abandoned: boolean;
}

export function followedRun({
  id,
  deadlineAt,
  request,
  abandoned = false,
}: NewRun & { abandoned?: boolean }): FollowedRun {
  return { id, deadlineAt, needsClient: request.on_disconnect === 'cancel', abandoned };
}
