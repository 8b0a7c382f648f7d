import type { Logger } from '@quire/shared/logging';
import type { Caller } from '@quire/shared/models';
import type { UsageMeter } from '../accounting/usage-meter.js';
import type { ChatMessage } from './chat-model.js';
import type { ModelChain } from './model-chain.js';
import { ModelFailure } from './model-failure.js';

export interface LineTask {
  messages: readonly ChatMessage[];
  /** A text that repeats it is of no use. */
  fenceKey: string;
  /** The line in what a model wrote; undefined if there is none. */
  read: (text: string) => string | undefined;
  meter: UsageMeter;
  timeLimitMs: number;
  signal: AbortSignal;
  log: Logger;
  caller: Caller;
}

/** A line that a model writes for ourselves, so that nothing of it is shown; undefined where no model gives a usable one. */
export async function askForLine(chain: ModelChain, task: LineTask): Promise<string | undefined> {
  const { messages, fenceKey, read, meter, timeLimitMs, signal, log, caller } = task;
  const result = await chain.run({
    async ask(model, limited) {
      let text = '';
      let isWhole = false;
      for await (const event of meter.metered(model, { messages }, limited)) {
        if (event.type === 'text') text += event.text;
        if (event.type === 'finish') isWhole = event.reason === 'whole';
      }
      const line = isWhole && !text.includes(fenceKey) ? read(text) : undefined;
      if (line === undefined) throw new ModelFailure('misbehaved', 'The model gave no line that can be used');
      return line;
    },
    hasShown: () => false,
    startOver: () => Promise.resolve(),
    until: Date.now() + timeLimitMs,
    signal,
    log,
    caller,
  });
  return result.ok ? result.value : undefined;
}
