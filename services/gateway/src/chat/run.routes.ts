import { cancellationSchema, runDescriptionSchema } from '@quire/shared/contracts';
import type { Database, Run } from '@quire/shared/database';
import { NotFound } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import type { Response } from 'express';
import { detachResponse } from '../http/detach-response.js';
import { contextOf } from '../http/request-context.js';
import { jsonResponse, route } from '../http/route.js';
import { cancelRun, type CancelDependencies } from './cancel-run.js';
import * as examples from './chat.examples.js';
import { afterQuery, lastEventId, NO_RUN, resumePosition, runPath } from './chat.parameters.js';
import { closeIfOverdue } from './close-if-overdue.js';
import { describeRun } from './describe-run.js';
import { resumeStream, type StreamDependencies } from './resume-stream.js';
import { sseHeaders } from './sse-encoding.js';
import { allEventsSent, streamResponse } from './stream-response.js';
import { followedRun, whileConnected, type ConnectionDependencies } from './while-connected.js';

export type RunDependencies = CancelDependencies & ConnectionDependencies & StreamDependencies;

/** The run, if it is one of the caller's tenant. */
async function ownRun(db: Database, id: string, res: Response): Promise<Run> {
  const run = await closeIfOverdue(db, id);
  if (run?.tenant !== contextOf(res).tenant) throw new NotFound('NOT_FOUND', NO_RUN);
  return run;
}

const get = route({
  method: 'get',
  path: '/chat/{request_id}',
  operationId: 'getRun',
  summary: 'The state of a run and, when it has ended, its outcome',
  scope: 'chat',
  pathParameters: runPath,
  responses: {
    200: jsonResponse('The run.', runDescriptionSchema, {
      running: { summary: 'Running', value: examples.runningExample },
      completed: { summary: 'Answered', value: examples.endedExample },
      failed: { summary: 'Failed', value: examples.failedExample },
    }),
  },
  errors: ['STORAGE_UNAVAILABLE'],
  async handle({ db, runLog }: RunDependencies, { res, path }) {
    res.json(await describeRun(runLog, await ownRun(db, path.request_id, res)));
  },
});

const cancel = route({
  method: 'delete',
  path: '/chat/{request_id}',
  operationId: 'cancelRun',
  summary: 'Cancel a run',
  description: 'Responds when the run has ended, with its state and what it has spent.',
  scope: 'chat',
  pathParameters: runPath,
  responses: {
    200: jsonResponse('The run has ended.', cancellationSchema, {
      cancelled: { summary: 'Cancelled', value: examples.cancelledExample },
    }),
    202: jsonResponse(
      'The worker has not confirmed yet.',
      cancellationSchema,
      {
        cancelling: { summary: 'Cancelling', value: examples.cancellingExample },
      },
      ['Location'],
    ),
  },
  errors: ['STORAGE_UNAVAILABLE', 'QUEUE_UNAVAILABLE'],
  async handle(deps: RunDependencies, { res, path }) {
    const { id } = await ownRun(deps.db, path.request_id, res);
    const { clientGone, log } = contextOf(res);
    const cancellation = await withLinkedSignal([clientGone, deps.draining.overdue], (signal) =>
      cancelRun(deps, id, signal),
    );
    log.info({ stage: 'gateway', run_id: id, state: cancellation.state }, 'Cancel requested');
    if (cancellation.state === 'cancelling') res.status(202).setHeader('Location', `/chat/${id}`);
    res.json(cancellation);
  },
});

const follow = route({
  method: 'get',
  path: '/chat/{request_id}/stream',
  operationId: 'followRun',
  summary: 'Follow a run, or resume a stream that was cut',
  description: 'Works on every gateway, also after the run has ended.',
  scope: 'chat',
  pathParameters: runPath,
  headers: lastEventId,
  query: afterQuery,
  responses: { 200: streamResponse, 204: allEventsSent },
  errors: ['STORAGE_UNAVAILABLE', 'QUEUE_UNAVAILABLE'],
  async handle(deps: RunDependencies, { req, res, path, headers, query }) {
    const run = await ownRun(deps.db, path.request_id, res);
    if (req.method === 'HEAD') {
      // Without the run's events, for which it would wait until the run has ended.
      res.writeHead(200, sseHeaders).end();
      return;
    }
    const after = resumePosition({ headers, query });
    const serving = whileConnected(deps, res, followedRun(run), deps.draining.started, (signal) =>
      resumeStream(deps, res, run, after, signal),
    );
    detachResponse(res, serving);
  },
});

export const runRoutes = [get, cancel, follow];
