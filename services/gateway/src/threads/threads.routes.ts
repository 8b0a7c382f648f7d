import { sessionIdSchema } from '@quire/shared/contracts';
import type { ThreadList } from '@quire/shared/contracts';
import { findThread, listThreads, openThread, type ThreadOwner } from '@quire/shared/database';
import { NotFound } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import { Router, type Request, type Response } from 'express';
import type { CancelDependencies } from '../chat/cancel-run.js';
import type { Draining } from '../draining.js';
import { allowOnly } from '../http/allow-only.js';
import { mergePatchBody } from '../http/json-body.js';
import { contextOf } from '../http/request-context.js';
import type { Limits } from '../limits/limits.js';
import { countRequest } from '../limits/request-permit.js';
import { deleteWholeThread } from './delete-thread.js';
import { parseMessageRange } from './message-range.js';
import { parsePatch, patchMetadata } from './patch-metadata.js';
import { encodeCursor } from './thread-cursor.js';
import { parseThreadPage } from './thread-page.js';
import { detailsOf, summaryOf, threadOf } from './thread-view.js';

export interface ThreadsDependencies extends CancelDependencies {
  draining: Draining;
  limits: Pick<Limits, 'permitFor'>;
}

/** The caller's own threads. */
export function threadsRoutes(deps: ThreadsDependencies): Router {
  const { db, limits } = deps;
  const router = Router();

  const readThread = async (req: Request, res: Response) => {
    const range = parseMessageRange(req.query);
    const thread = await openThread(db, ownThread(req, res), range);
    if (!thread) throw noThread();
    res.json(threadOf(thread, range.includeArchived));
  };

  router
    .route('/threads')
    .get(async (req, res) => {
      const { limit, after } = parseThreadPage(req.query);
      // One more than asked for tells whether another page follows.
      const found = await listThreads(db, contextOf(res).tenant, { limit: limit + 1, after });
      const threads = found.slice(0, limit);
      const last = found.length > limit ? threads.at(-1) : undefined;
      const list: ThreadList = {
        threads: threads.map(summaryOf),
        ...(last && { next_cursor: encodeCursor(last.position) }),
      };
      res.json(list);
    })
    .all(allowOnly('GET', 'HEAD'));
  router
    .route('/threads/:session_id')
    .get(readThread)
    .patch(mergePatchBody, async (req: Request, res: Response) => {
      const owner = ownThread(req, res);
      const patch = parsePatch(req.body);
      const thread = await countRequest(limits, res, async () => {
        const changed = await patchMetadata(db, owner, patch);
        const found = changed ? await findThread(db, owner) : undefined;
        if (!found) throw noThread();
        return found;
      });
      res.json(detailsOf(thread));
    })
    .delete(async (req, res) => {
      const owner = ownThread(req, res);
      const { clientGone, log } = contextOf(res);
      await countRequest(limits, res, async () => {
        const deleted = await withLinkedSignal([clientGone, deps.draining.overdue], (signal) =>
          deleteWholeThread(deps, owner, signal),
        );
        if (!deleted) throw noThread();
      });
      log.info({ stage: 'gateway', session_id: owner.threadId }, 'Thread deleted');
      res.status(204).end();
    })
    .all(allowOnly('GET', 'HEAD', 'PATCH', 'DELETE'));
  router.route('/history/:session_id').get(readThread).all(allowOnly('GET', 'HEAD'));
  return router;
}

function ownThread(req: Request, res: Response): ThreadOwner {
  const id = sessionIdSchema.safeParse(req.params['session_id']);
  if (!id.success) throw noThread();
  return { threadId: id.data, tenant: contextOf(res).tenant };
}

const noThread = () => new NotFound('NOT_FOUND', 'There is no thread with this session_id');
