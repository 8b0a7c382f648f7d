import type { Exchange } from '@quire/shared/database';
import type { Logger } from '@quire/shared/logging';
import type { UsageMeter } from '../accounting/usage-meter.js';
import type { ModelChain } from '../generation/model-chain.js';
import { ModelFailure } from '../generation/model-failure.js';
import { rewritePrompt } from '../prompt/rewrite-prompt.js';
import { combineQuestions, readRewritten } from './standalone-question.js';

export interface Rewriting {
  question: string;
  history: readonly Exchange[];
  chain: ModelChain;
  meter: UsageMeter;
  fenceKey: string;
  timeLimitMs: number;
  signal: AbortSignal;
  log: Logger;
}

/**
 * A follow-up as a question that stands alone; undefined for one without history, or that does so already. The reader
 * waits for this before anything is searched, so a slow model is not waited for.
 */
export async function rewriteQuestion(rewriting: Rewriting): Promise<string | undefined> {
  const { question, history, chain, meter, fenceKey, timeLimitMs, signal, log } = rewriting;
  if (history.length === 0) return undefined;
  const request = { messages: rewritePrompt(history, question, fenceKey) };
  const result = await chain.run({
    async ask(model, limited) {
      let text = '';
      let isWhole = false;
      for await (const event of meter.metered(model, request, limited)) {
        if (event.type === 'text') text += event.text;
        if (event.type === 'finish') isWhole = event.reason === 'whole';
      }
      const rewritten = isWhole && !text.includes(fenceKey) ? readRewritten(text) : undefined;
      if (rewritten === undefined) throw new ModelFailure('misbehaved', 'The model gave no single question');
      return rewritten;
    },
    hasShown: () => false,
    startOver: () => Promise.resolve(),
    until: Date.now() + timeLimitMs,
    signal,
    log,
  });
  const standalone = result.ok ? result.value : combineQuestions(history, question);
  return standalone === question ? undefined : standalone;
}
