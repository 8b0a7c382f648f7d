import type { ChatRequestBody } from '@quire/shared/contracts';
import { detachResponse } from '../http/detach-response.js';
import { contextOf } from '../http/request-context.js';
import type { Call } from '../http/route.js';
import type { Limits } from '../limits/limits.js';
import { withPermit } from '../limits/request-permit.js';
import type { RunSlots } from '../limits/run-slots.js';
import { acceptQuestion, type AcceptDependencies } from './accept-question.js';
import { chatCommand, type Negotiation } from './chat-command.js';
import { resumePosition, type ResumeInputs } from './chat.parameters.js';
import { respondAccepted, respondJson } from './respond-json.js';
import { respondSse } from './respond-sse.js';
import { resumeStream, type StreamDependencies } from './resume-stream.js';
import { runEvents } from './run-events.js';
import { followedRun, keepForLater, whileConnected, type ConnectionDependencies } from './while-connected.js';

export interface AskDependencies extends AcceptDependencies, ConnectionDependencies, StreamDependencies {
  limits: Pick<Limits, 'permitFor'>;
  runSlots: RunSlots;
}

export interface AskCall extends Call<ChatRequestBody>, ResumeInputs {
  headers: ResumeInputs['headers'] & { 'Idempotency-Key'?: string | undefined; Prefer?: string | undefined };
  query: ResumeInputs['query'];
}

/** Accepts a question, or finds the run that its Idempotency-Key names, and responds in the form asked for. */
export async function ask(
  deps: AskDependencies,
  { req, res, body, headers, query }: AskCall,
  fixedForm?: Negotiation['fixedForm'],
): Promise<void> {
  const { requestId, tenant, log } = contextOf(res);
  const { form, ...command } = chatCommand(body, {
    fixedForm,
    accept: req.get('accept'),
    prefer: headers.Prefer,
    idempotencyKey: headers['Idempotency-Key'],
  });
  const after = resumePosition({ headers, query });
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
  detachResponse(res, deps.runSlots.whileFollowed(run.id, serving));
}
