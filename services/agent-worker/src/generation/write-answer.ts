import type { MarkupRemoved } from '@quire/shared/contracts';
import { untilAborted } from '@quire/shared/process';
import type { UsageMeter } from '../accounting/usage-meter.js';
import type { Addresses } from '../citations/addresses.js';
import { answerToolCalls, type ToolDesk } from '../search/answer-tool-calls.js';
import { searchTool } from '../search/search-tool.js';
import type { AnswerSink } from './answer-sink.js';
import type { ChatMessage, ChatModel, FinishReason, ToolCall } from './chat-model.js';
import { Draft } from './draft.js';
import { ModelFailure } from './model-failure.js';
import { hasVisibleText } from './visible-text.js';

/** How often a model may search before it has to answer. */
export const SEARCH_ROUNDS = 3;

export interface AnswerTask {
  messages: readonly ChatMessage[];
  isPassage: (number: number) => boolean;
  /** Where the answer may lead; absent where the caller wants what the model wrote. */
  addresses?: Addresses | undefined;
  fenceKey: string;
  /** Absent where nothing may be searched. */
  desk?: ToolDesk | undefined;
  sink: AnswerSink;
  meter: UsageMeter;
}

export type WrittenAnswer =
  | {
      found: true;
      text: string;
      cited: readonly number[];
      removed: MarkupRemoved | undefined;
      truncated: boolean;
    }
  /** The model says that the material does not hold the answer. */
  | { found: false };

interface Turn {
  draft: Draft;
  calls: ToolCall[];
  finish: FinishReason;
}

/**
 * One model's answer, shown as it comes. Where the model asks for further passages they are searched for and it goes
 * on, up to `SEARCH_ROUNDS` times; what it said before the search is void.
 */
export async function writeAnswer(
  model: ChatModel,
  task: AnswerTask,
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  const { desk, sink } = task;
  const messages = [...task.messages];
  for (let round = 0; ; round += 1) {
    const mayCallTools = desk !== undefined && round < SEARCH_ROUNDS;
    const turn = await takeTurn(model, task, messages, mayCallTools, signal);
    if (turn.calls.length === 0) return judge(turn, sink);
    // What stands in front of a call is no answer.
    if (!mayCallTools) throw new ModelFailure('misbehaved', 'The model goes on searching');
    await sink.startOver('searching');
    messages.push({ role: 'assistant', content: turn.draft.text, toolCalls: turn.calls });
    // A search that hangs must not outlast the time for an answer of sources alone.
    messages.push(...(await untilAborted(signal, answerToolCalls(turn.calls, desk))));
  }
}

async function takeTurn(
  model: ChatModel,
  { isPassage, addresses, fenceKey, desk, sink, meter }: AnswerTask,
  messages: readonly ChatMessage[],
  mayCallTools: boolean,
  signal: AbortSignal,
): Promise<Turn> {
  const draft = new Draft(isPassage, fenceKey, addresses);
  const turn: Turn = { draft, calls: [], finish: 'whole' };
  const request = { messages, ...(desk && { tools: [searchTool], mayCallTools }) };
  for await (const event of meter.metered(model, request, signal)) {
    if (event.type === 'text') show(draft.push(event.text), draft, sink);
    if (event.type === 'tool_calls') turn.calls = event.calls;
    if (event.type === 'finish') turn.finish = event.reason;
  }
  show(draft.end(), draft, sink);
  return turn;
}

function show(piece: string, draft: Draft, sink: AnswerSink): void {
  if (draft.echoesPrompt) throw new ModelFailure('misbehaved', 'The model repeated its instructions');
  sink.delta(piece);
}

async function judge({ draft, finish }: Turn, sink: AnswerSink): Promise<WrittenAnswer> {
  if (finish === 'filtered') throw new ModelFailure('filtered', 'The provider withheld the answer');
  if (draft.isNotFound) {
    await sink.startOver('not_found');
    return { found: false };
  }
  if (!hasVisibleText(draft.text)) throw new ModelFailure('misbehaved', 'The model gave an empty answer');
  const { text, cited, removed } = draft;
  return { found: true, text, cited, removed, truncated: finish === 'length' };
}
