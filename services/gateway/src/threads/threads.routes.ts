import { THREAD_TITLE_MAX_CHARACTERS, type ThreadList, type ThreadSummary } from '@quire/shared/contracts';
import { listThreads, type Database, type ListedThread } from '@quire/shared/database';
import { snippet } from '@quire/shared/retrieval';
import { Router } from 'express';
import { allowOnly } from '../http/allow-only.js';
import { contextOf } from '../http/request-context.js';
import { encodeCursor } from './thread-cursor.js';
import { parseThreadPage } from './thread-page.js';

/** The caller's own threads. */
export function threadsRoutes({ db }: { db: Database }): Router {
  const router = Router();
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
  return router;
}

function summaryOf(thread: ListedThread): ThreadSummary {
  return {
    session_id: thread.id,
    title: snippet(thread.firstQuestion, THREAD_TITLE_MAX_CHARACTERS),
    message_count: thread.messageCount,
    created_at: thread.createdAt.toISOString(),
    updated_at: thread.updatedAt.toISOString(),
  };
}
