import { answerLength } from '../questions/scripted-answer.js';
import type { Asking } from './asking.js';
import { cancelRun } from './cancel-run.js';
import type { QuestionKind } from './client-view.js';
import { followStream } from './follow-stream.js';
import { pollRun } from './poll-run.js';
import { completedAs, jsonIn, type AnswerBody } from './read-ending.js';

/** How long a slow client reads an answer: short enough to read it twice before its limit, after a `reset`. */
const SLOW_READING_MS = [20_000, 40_000] as const;
const MOST_CUTS = 3;

/** What each kind of client does. */
export const askAs: Record<QuestionKind, (asking: Asking) => Promise<void>> = {
  json: (asking) => askForBody(asking, {}),
  async: (asking) => askForBody(asking, { prefer: 'respond-async' }),
  stream: (asking) => followStream(asking),
  slow: (asking) => {
    const pauseMs = asking.random.pick(SLOW_READING_MS) / answerLength(asking.view.token);
    return followStream(asking, { pauseMs });
  },
  cut: (asking) => {
    const cuts = 1 + asking.random.integer(MOST_CUTS);
    return followStream(asking, { cutsAfter: Array.from({ length: cuts }, () => midway(asking)) });
  },
  leave: (asking) => followStream(asking, { cutsAfter: [midway(asking)], leaves: true }),
  async cancel(asking) {
    const cancelAfter = midway(asking);
    let cancelling: Promise<void> | undefined;
    const onEvent = (count: number) => {
      const [runId] = asking.view.runIds;
      if (count >= cancelAfter && runId !== undefined) cancelling ??= cancelRun(asking, runId);
    };
    await followStream(asking, { onEvent });
    await cancelling;
  },
};

/** The number of events after which a client acts, before its answer is complete: an event holds about two words. */
function midway({ random, view }: Asking): number {
  return 1 + random.integer(Math.ceil(answerLength(view.token) / 2));
}

/** Asks for JSON; polls the run after a 202. */
async function askForBody(asking: Asking, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await asking.ask('/chat', headers);
    if (!response) return;
    const body = await jsonIn<AnswerBody>(response);
    if (!body) {
      asking.view.wasCut = true;
      await asking.changeGateway();
      continue;
    }
    asking.addRunId(body.request_id);
    if (response.status === 202) await pollRun(asking, body.request_id);
    else asking.view.responseEndings.push(completedAs(body));
    return;
  }
}
