import { answerLength } from '../questions/scripted-answer.js';
import type { Asking } from './asking.js';
import { cancelRun } from './cancel-run.js';
import type { QuestionKind } from './client-view.js';
import { followStream } from './follow-stream.js';
import { pollRun } from './poll-run.js';
import { completedAs, type AnswerBody } from './read-ending.js';

/** The reading time of a slow client for a whole answer; it must be in time even if it starts again. */
const SLOW_READING_MS = [20_000, 40_000] as const;
const MOST_CUTS = 3;

/** How each kind of client asks. */
export const ways: Record<QuestionKind, (asking: Asking) => Promise<void>> = {
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
  leave: (asking) => followStream(asking, { cutsAfter: [midway(asking)], staysAway: true }),
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

/** After how many events: an event brings about two words. */
function midway({ random, view }: Asking): number {
  return 1 + random.integer(Math.ceil(answerLength(view.token) / 2));
}

/** One answer as a body: the response itself, or the promise of one. */
async function askForBody(asking: Asking, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await asking.ask('/chat', headers);
    if (!response) return;
    const body = await bodyIn(response);
    if (!body) {
      asking.view.wasCutOff = true;
      await asking.changeGateway();
      continue;
    }
    asking.given(body.request_id);
    if (response.status === 202) await pollRun(asking, body.request_id);
    else asking.view.toldEndings.push(completedAs(body));
    return;
  }
}

async function bodyIn(response: Response): Promise<AnswerBody | undefined> {
  try {
    return (await response.json()) as AnswerBody;
  } catch {
    return undefined;
  }
}
