import type { ChatResponse, RunEvent } from '@quire/shared/contracts';
import { plainJson, plainText } from '../plain-text.js';
import type { Terminal } from '../terminal.js';
import type { TextStyle } from '../text-style.js';
import { answerText, footerText, summaryText } from './answer-text.js';
import { LiveText } from './live-text.js';

export interface AnswerView {
  /** An event before the end. */
  follow(event: RunEvent): void;
  complete(response: ChatResponse): void;
  /** No answer follows; what was shown of it stays. */
  abandon(): void;
}

export type JsonForm = 'document' | 'line';

/** Shows an answer as JSON, live on a terminal, or as a whole elsewhere. */
export function answerView(terminal: Terminal, style: TextStyle, json?: JsonForm): AnswerView {
  if (json) return jsonView(terminal, json);
  return terminal.isLive ? liveView(terminal, style) : plainView(terminal, style);
}

function jsonView({ write }: Terminal, form: JsonForm): AnswerView {
  return {
    follow() {},
    complete: (response) => write(`${plainJson(response, form === 'document' ? 2 : undefined)}\n`),
    abandon() {},
  };
}

function plainView(terminal: Terminal, style: TextStyle): AnswerView {
  return {
    follow() {},
    complete(response) {
      terminal.write(`${answerText(response)}\n${footerText(response, style)}`);
      if (response.metadata.mode !== 'no_results') terminal.note(`${summaryText(response)}\n`);
    },
    abandon() {},
  };
}

function liveView(terminal: Terminal, style: TextStyle): AnswerView {
  const live = new LiveText(terminal);
  return {
    follow(event) {
      if (event.type === 'delta') live.append(plainText(event.data.text));
      else if (event.type === 'reset') live.startOver();
      const status = statusText(event);
      if (status) live.showStatus(status, style.dim);
    },
    complete(response) {
      const answer = answerText(response);
      // A stream that was resumed late may lack parts of the answer.
      if (live.text.trimEnd() !== answer) {
        live.startOver();
        live.append(answer);
      }
      live.end();
      terminal.write(footerText(response, style));
      if (response.metadata.mode !== 'no_results') {
        terminal.write(`\n${style.dim(summaryText(response))}\n`);
      }
    },
    abandon: () => live.end(),
  };
}

function statusText(event: RunEvent): string | undefined {
  if (event.type === 'queued')
    return event.data.position > 1 ? `Waiting, ${event.data.position - 1} ahead …` : 'Waiting …';
  if (event.type !== 'status') return undefined;
  if (event.data.state === 'retrieving') return 'Searching …';
  return event.data.state === 'generating' ? 'Writing …' : undefined;
}
