import type { AcceptedRun } from '@quire/shared/contracts';
import type { NewRun } from '@quire/shared/database';
import type { Response } from 'express';

/** The run goes on without this connection; the caller asks for it at the given place. */
export function respondAccepted(res: Response, run: NewRun): void {
  res.setHeader('Location', `/chat/${run.id}`);
  const accepted: AcceptedRun = { request_id: run.id, session_id: run.request.session_id };
  res.status(202).json(accepted);
}
