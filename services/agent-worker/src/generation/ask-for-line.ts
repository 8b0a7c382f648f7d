import type { UsageMeter } from '../accounting/usage-meter.js';
import { ModelFailure, type ChatMessage } from './chat-model.js';
import type { ChainTask, ModelCall, ModelChain } from './model-chain.js';

export interface LineTask extends Omit<ChainTask, 'until'> {
  messages: readonly ChatMessage[];
  /** Output that repeats it is of no use. */
  fenceKey: string;
  /** Returns the line in a model's output; undefined if there is none. */
  read: (text: string) => string | undefined;
  meter: UsageMeter;
  timeLimitMs: number;
}

/** Has a model write one line for internal use, not streamed to clients. Undefined if no model gives a usable one. */
export async function askForLine(chain: ModelChain, task: LineTask): Promise<string | undefined> {
  for await (const call of chain.calls({ ...task, until: Date.now() + task.timeLimitMs })) {
    try {
      const line = await lineOf(call, task);
      await call.succeeded();
      return line;
    } catch (error) {
      await call.failed(error, false);
    }
  }
  return undefined;
}

async function lineOf(call: ModelCall, { messages, fenceKey, read, meter }: LineTask): Promise<string> {
  let text = '';
  let isWhole = false;
  for await (const event of meter.metered(call.model, { messages }, call.signal)) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'finish') isWhole = event.reason === 'whole';
  }
  const line = isWhole && !text.includes(fenceKey) ? read(text) : undefined;
  if (line === undefined) throw new ModelFailure('misbehaved', 'The model gave no usable line');
  return line;
}
