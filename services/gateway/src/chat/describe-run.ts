import {
  liveRunStateSchema,
  runEventSchema,
  type LiveRunState,
  type RunDescription,
} from '@quire/shared/contracts';
import type { Run } from '@quire/shared/database';
import type { RunLog } from '@quire/shared/run-log';

/** The response of `GET /chat/{request_id}`. */
export async function describeRun(runLog: RunLog, run: Run): Promise<RunDescription> {
  const about = {
    request_id: run.id,
    session_id: run.request.session_id,
    accepted_at: run.acceptedAt.toISOString(),
    deadline_at: run.deadlineAt.toISOString(),
    attempts: run.attempt,
  };
  if (!run.outcome) return { ...about, state: await liveState(runLog, run) };
  const { type, data } = run.outcome;
  if (type === 'completed') return { ...about, state: type, response: data };
  if (type === 'cancelled') return { ...about, state: type, tokens_used: data.tokens_used };
  return { ...about, state: type, error: data };
}

/** Postgres knows acceptance, claim and end; the states between are in the log, while Redis is reachable. */
async function liveState(runLog: RunLog, run: Run): Promise<LiveRunState> {
  const last = await runLog.lastEntry(run.id).catch(() => undefined);
  if (last?.type === 'delta') return 'generating';
  if (last?.type !== 'status') return liveRunStateSchema.parse(run.state);
  const event = runEventSchema.parse({ type: last.type, data: JSON.parse(last.data) });
  return liveRunStateSchema.parse(event.type === 'status' ? event.data.state : run.state);
}
