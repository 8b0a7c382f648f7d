import type { ChatRequestBody } from '@quire/shared/contracts';
import { detachResponse } from '../http/detach-response.js';
import { contextOf } from '../http/request-context.js';
import type { Call } from '../http/route.js';
import { acceptWithinLimits, type LimitedDependencies } from './accept-within-limits.js';
import { chatCommand, type Negotiation } from './chat-command.js';
import { resumePosition, type ResumeInputs } from './chat.parameters.js';
import { followedRun } from './followed-run.js';
import { respondAccepted } from './respond-accepted.js';
import { respondJson } from './respond-json.js';
import { respondSse } from './respond-sse.js';
import { resumeStream } from './resume-stream.js';
import { runEvents } from './run-events.js';
import { streamedEvents, type StreamDependencies } from './streamed-events.js';
import { keepForLater, whileConnected, type ConnectionDependencies } from './while-connected.js';

export type AskDependencies = LimitedDependencies & ConnectionDependencies & StreamDependencies;

export interface Question extends Call<ChatRequestBody>, ResumeInputs {
  headers: ResumeInputs['headers'] & { 'Idempotency-Key'?: string | undefined; Prefer?: string | undefined };
  query: ResumeInputs['query'];
}

/** Accepts a question, or finds the run that its Idempotency-Key names, and responds in the form asked for. */
export async function ask(
  deps: AskDependencies,
  { req, res, body, headers, query }: Question,
  fixedForm?: Negotiation['fixedForm'],
): Promise<void> {
  const { requestId, tenant, log } = contextOf(res);
  const { form, ...command } = chatCommand(body, {
    ...(fixedForm && { fixedForm }),
    accept: req.get('accept'),
    prefer: headers.Prefer,
    idempotencyKey: headers['Idempotency-Key'],
  });
  const after = resumePosition({ headers, query });
  const accepted = await acceptWithinLimits(deps, res, { runId: requestId, tenant, ...command, log });
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
            : respondSse(res, streamedEvents(deps, followed, 0, signal), { signal }),
        )
      : whileConnected(deps, res, followed, deps.draining.overdue, (signal) =>
          respondJson(res, run, runEvents(deps, followed, 0, signal)),
        );
  detachResponse(res, whenServed(serving, accepted.runHasEnded));
}

/** Outside the handler, so that the question is not kept for as long as it is served. */
function whenServed(serving: Promise<boolean>, then: () => void): Promise<void> {
  return serving.then((isServed) => (isServed ? then() : undefined));
}
