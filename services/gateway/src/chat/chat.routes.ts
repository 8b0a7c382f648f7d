import type { Run } from '@quire/shared/database';
import { NotFound } from '@quire/shared/errors';
import type { JobQueue } from '@quire/shared/jobs';
import { withLinkedSignal } from '@quire/shared/process';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { allowOnly } from '../http/allow-only.js';
import { jsonBody } from '../http/json-body.js';
import { outliveHandler } from '../http/outlive-handler.js';
import { contextOf } from '../http/request-context.js';
import type { Limits } from '../limits/limits.js';
import { withPermit } from '../limits/request-permit.js';
import type { RunSlots } from '../limits/run-slots.js';
import { acceptQuestion, type AcceptDependencies } from './accept-question.js';
import { cancelRun, type CancelDependencies } from './cancel-run.js';
import { parseChatCommand, type Negotiation } from './chat-command.js';
import { closeIfOverdue } from './close-if-overdue.js';
import { describeRun } from './describe-run.js';
import { respondAccepted, respondJson } from './respond-json.js';
import { respondSse } from './respond-sse.js';
import { parseResumePosition, resumeStream, type StreamDependencies } from './resume-stream.js';
import { runEvents } from './run-events.js';
import { sseHeaders } from './sse-encoding.js';
import { followedRun, keepForLater, whileConnected, type ConnectionDependencies } from './while-connected.js';

export interface ChatDependencies
  extends AcceptDependencies, CancelDependencies, ConnectionDependencies, StreamDependencies {
  queue: JobQueue<'chat'>;
  limits: Pick<Limits, 'permitFor'>;
  runSlots: RunSlots;
}

export function chatRoutes(deps: ChatDependencies): Router {
  const router = Router();

  const ask = (fixedForm?: Negotiation['fixedForm']) => async (req: Request, res: Response) => {
    deps.draining.refuseNewWork();
    const { requestId, tenant, log } = contextOf(res);
    const { form, ...command } = parseChatCommand(req.body, {
      ...(fixedForm && { fixedForm }),
      accept: req.get('accept'),
      prefer: req.get('prefer'),
      idempotencyKey: req.get('idempotency-key'),
    });
    const after = parseResumePosition(req);
    const question = { runId: requestId, tenant, ...command, log };
    const accepted = await withPermit(deps.limits, res, (permit) => acceptQuestion(deps, question, permit));
    const { run } = accepted;
    if (accepted.replayed) {
      res.setHeader('Idempotent-Replayed', 'true');
      res.setHeader('X-Request-Id', run.id);
      log.info({ stage: 'gateway', run_id: run.id }, 'Run replayed');
    }
    if (form === 'async') {
      if (accepted.replayed) await keepForLater(deps, run, command.request.on_disconnect);
      res.setHeader('Preference-Applied', 'respond-async');
      respondAccepted(res, run);
      return;
    }
    const followed = followedRun(run);
    const serving =
      form === 'sse'
        ? whileConnected(deps, res, followed, deps.draining.started, (signal) =>
            accepted.replayed
              ? resumeStream(deps, res, accepted.run, after, signal)
              : respondSse(res, runEvents(deps, followed, 0, signal, deps.announcer), { signal }),
          )
        : whileConnected(deps, res, followed, deps.draining.overdue, (signal) =>
            respondJson(res, run, runEvents(deps, followed, 0, signal)),
          );
    outliveHandler(res, deps.runSlots.whileFollowed(run.id, serving));
  };

  const ownRun = async (req: Request, res: Response): Promise<Run> => {
    const id = z.uuid().toLowerCase().safeParse(req.params['request_id']);
    const run = id.success ? await closeIfOverdue(deps.db, id.data) : undefined;
    if (!run || run.tenant !== contextOf(res).tenant) {
      throw new NotFound('NOT_FOUND', 'There is no run with this request_id');
    }
    return run;
  };

  router.route('/chat').post(jsonBody, ask()).all(allowOnly('POST'));
  router.route('/chat/run').post(jsonBody, ask('json')).all(allowOnly('POST'));
  router.route('/chat/stream').post(jsonBody, ask('sse')).all(allowOnly('POST'));
  router
    .route('/chat/:request_id')
    .get(async (req, res) => {
      res.json(await describeRun(deps.runLog, await ownRun(req, res)));
    })
    .delete(async (req, res) => {
      const { id } = await ownRun(req, res);
      const { clientGone, log } = contextOf(res);
      const cancellation = await withLinkedSignal([clientGone, deps.draining.overdue], (signal) =>
        cancelRun(deps, id, signal),
      );
      log.info({ stage: 'gateway', run_id: id, state: cancellation.state }, 'Cancel requested');
      if (cancellation.state === 'cancelling') res.status(202).setHeader('Location', `/chat/${id}`);
      res.json(cancellation);
    })
    .all(allowOnly('GET', 'HEAD', 'DELETE'));
  router
    .route('/chat/:request_id/stream')
    // Without this a HEAD would be answered by the GET below, and wait for the run to end.
    .head(async (req, res) => {
      parseResumePosition(req);
      await ownRun(req, res);
      res.writeHead(200, sseHeaders).end();
    })
    .get(async (req, res) => {
      const after = parseResumePosition(req);
      const run = await ownRun(req, res);
      const serving = whileConnected(deps, res, followedRun(run), deps.draining.started, (signal) =>
        resumeStream(deps, res, run, after, signal),
      );
      outliveHandler(res, serving);
    })
    .all(allowOnly('GET', 'HEAD'));
  return router;
}
