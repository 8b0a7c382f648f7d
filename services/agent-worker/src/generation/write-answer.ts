import type { MarkupRemoved } from '@quire/shared/contracts';
import { untilAborted } from '@quire/shared/process';
import type { UsageMeter } from '../accounting/usage-meter.js';
import type { Addresses } from '../citations/addresses.js';
import { runToolCalls, searchTool, type ToolContext } from '../search/search-tool.js';
import type { AnswerSink } from './answer-sink.js';
import {
  ModelFailure,
  type ChatMessage,
  type ChatModel,
  type FinishReason,
  type ToolCall,
} from './chat-model.js';
import { Draft } from './draft.js';
import { hasVisibleText } from './model-text.js';

/** How often a model may search before it has to answer. */
const SEARCH_ROUNDS = 3;

export interface AnswerTask {
  messages: readonly ChatMessage[];
  isPassage: (number: number) => boolean;
  /** The only link targets allowed; undefined if the caller wants the model's markup as it is. */
  addresses?: Addresses | undefined;
  fenceKey: string;
  /** Undefined if the model may not search. */
  tools?: ToolContext | undefined;
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

/**
 * Has one model write an answer, shown while it streams. If the model calls the search tool, the passages found are
 * added to the conversation and the model continues; what it wrote before the search is void.
 */
export async function writeAnswer(
  model: ChatModel,
  task: AnswerTask,
  sink: AnswerSink,
  meter: UsageMeter,
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  const { fenceKey, tools } = task;
  const messages = [...task.messages];
  for (let round = 0; ; round += 1) {
    const mayCallTools = tools !== undefined && round < SEARCH_ROUNDS;
    const request = { messages, ...(tools && { tools: [searchTool], mayCallTools }) };
    const draft = new Draft(task.isPassage, fenceKey, task.addresses);
    let toolCalls: ToolCall[] = [];
    let finish: FinishReason = 'whole';
    for await (const event of meter.metered(model, request, signal)) {
      if (event.type === 'text') show(draft.push(event.text), draft, sink);
      if (event.type === 'tool_calls') toolCalls = event.calls;
      if (event.type === 'finish') finish = event.reason;
    }
    show(draft.end(), draft, sink);
    if (toolCalls.length === 0) return judge(draft, finish, sink);
    // The text before a call is no answer.
    if (!mayCallTools)
      throw new ModelFailure('misbehaved', 'The model called a tool after its last search round');
    await sink.startOver('searching');
    messages.push({ role: 'assistant', content: draft.text, toolCalls });
    // A search that hangs must not use up the time for an answer of sources alone.
    messages.push(...(await untilAborted(signal, runToolCalls(toolCalls, tools))));
  }
}

function show(piece: string, draft: Draft, sink: AnswerSink): void {
  if (draft.echoesPrompt) throw new ModelFailure('misbehaved', 'The model repeated its instructions');
  sink.delta(piece);
}

async function judge(draft: Draft, finish: FinishReason, sink: AnswerSink): Promise<WrittenAnswer> {
  if (finish === 'filtered') throw new ModelFailure('filtered', 'The provider withheld the answer');
  if (draft.isNotFound) {
    await sink.startOver('not_found');
    return { found: false };
  }
  if (!hasVisibleText(draft.text)) throw new ModelFailure('misbehaved', 'The model gave an empty answer');
  const { text, cited, removed } = draft;
  return { found: true, text, cited, removed, truncated: finish === 'length' };
}
