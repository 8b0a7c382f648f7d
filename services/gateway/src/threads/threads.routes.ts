import {
  jsonValueSchema,
  threadDetailsSchema,
  threadListSchema,
  threadMessageSchema,
  threadPatchSchema,
  threadSchema,
  threadSummarySchema,
  type ThreadList,
} from '@quire/shared/contracts';
import { findThread, listThreads, openThread } from '@quire/shared/database';
import { NotFound } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import type { CancelDependencies } from '../chat/cancel-run.js';
import type { Draining } from '../draining.js';
import { contextOf } from '../http/request-context.js';
import { jsonResponse, route, type RouteGroup } from '../http/route.js';
import { deleteWholeThread } from './delete-thread.js';
import { patchMetadata } from './patch-metadata.js';
import { encodeCursor } from './thread-cursor.js';
import { detailsOf, summaryOf, threadOf } from './thread-view.js';
import * as examples from './threads.examples.js';
import { messagesQuery, NO_THREAD, pageQuery, threadPath } from './threads.parameters.js';

export interface ThreadsDependencies extends CancelDependencies {
  draining: Draining;
}

const list = route({
  method: 'get',
  path: '/threads',
  operationId: 'listThreads',
  summary: 'The threads, newest first',
  scope: 'chat',
  query: pageQuery,
  responses: {
    200: jsonResponse('A page; `next_cursor` is present if more threads follow.', threadListSchema, {
      page: { summary: 'A page', value: examples.threadListExample },
    }),
  },
  errors: ['STORAGE_UNAVAILABLE'],
  async handle({ db }: ThreadsDependencies, { res, query: { limit, cursor } }) {
    // One more than the page holds tells whether another page follows.
    const found = await listThreads(db, contextOf(res).tenant, { limit: limit + 1, after: cursor });
    const threads = found.slice(0, limit);
    const last = found.length > limit ? threads.at(-1) : undefined;
    const page: ThreadList = {
      threads: threads.map(summaryOf),
      ...(last && { next_cursor: encodeCursor(last.position) }),
    };
    res.json(page);
  },
});

const read = (about: { path: string; operationId: string; summary: string }) =>
  route({
    ...about,
    method: 'get',
    scope: 'chat',
    pathParameters: threadPath,
    query: messagesQuery,
    responses: {
      200: jsonResponse(
        'The thread with its messages, oldest first; `next_before` is present if there are older ones.',
        threadSchema,
        { thread: { summary: 'A thread', value: examples.threadExample } },
      ),
    },
    errors: ['STORAGE_UNAVAILABLE'],
    async handle({ db }: ThreadsDependencies, { res, path, query: { include, before } }) {
      const owner = { threadId: path.session_id, tenant: contextOf(res).tenant };
      const includeArchived = include === 'archived';
      const thread = await openThread(db, owner, { includeArchived, before });
      if (!thread) throw noThread();
      res.json(threadOf(thread, includeArchived));
    },
  });

const change = route({
  method: 'patch',
  path: '/threads/{session_id}',
  operationId: 'changeThread',
  summary: "Change a thread's metadata",
  description: 'A merge patch (RFC 7396): a key with null is removed, objects are merged.',
  scope: 'chat',
  limits: 'rate',
  pathParameters: threadPath,
  body: {
    schema: threadPatchSchema,
    examples: {
      patch: { summary: 'Set one key, remove another', value: examples.threadPatchExample },
    },
  },
  bodyTypes: ['application/json', 'application/merge-patch+json'],
  responses: {
    200: jsonResponse('The thread as it is now.', threadDetailsSchema, {
      changed: { summary: 'Changed', value: examples.threadDetailsExample },
    }),
  },
  errors: ['STORAGE_UNAVAILABLE'],
  async handle({ db }: ThreadsDependencies, { res, path, body: { metadata } }) {
    const owner = { threadId: path.session_id, tenant: contextOf(res).tenant };
    const isChanged = await patchMetadata(db, owner, metadata);
    const thread = isChanged ? await findThread(db, owner) : undefined;
    if (!thread) throw noThread();
    res.json(detailsOf(thread));
  },
});

const remove = route({
  method: 'delete',
  path: '/threads/{session_id}',
  operationId: 'deleteThread',
  summary: 'Delete a thread and everything that belongs to it',
  description: 'Its messages, runs, their events and feedback. Unfinished runs are cancelled.',
  scope: 'chat',
  limits: 'rate',
  pathParameters: threadPath,
  responses: { 204: { description: 'Deleted.' } },
  errors: ['STORAGE_UNAVAILABLE'],
  async handle(deps: ThreadsDependencies, { res, path }) {
    const { clientGone, log, tenant } = contextOf(res);
    const isDeleted = await withLinkedSignal([clientGone, deps.draining.overdue], (signal) =>
      deleteWholeThread(deps, { threadId: path.session_id, tenant }, signal),
    );
    if (!isDeleted) throw noThread();
    log.info({ stage: 'gateway', session_id: path.session_id }, 'Thread deleted');
    res.status(204).end();
  },
});

const noThread = () => new NotFound('NOT_FOUND', NO_THREAD);

export const threadsGroup: RouteGroup<ThreadsDependencies> = {
  name: 'Threads',
  description: "The tenant's conversations.",
  requests: { ThreadPatch: threadPatchSchema },
  responses: {
    ThreadList: threadListSchema,
    ThreadSummary: threadSummarySchema,
    ThreadDetails: threadDetailsSchema,
    ThreadMessage: threadMessageSchema,
    Thread: threadSchema,
    JsonValue: jsonValueSchema,
  },
  routes: [
    list,
    read({
      path: '/threads/{session_id}',
      operationId: 'getThread',
      summary: 'A thread and its messages',
    }),
    change,
    remove,
    read({
      path: '/history/{session_id}',
      operationId: 'getHistory',
      summary: 'The same as GET /threads/{session_id}',
    }),
  ],
};
