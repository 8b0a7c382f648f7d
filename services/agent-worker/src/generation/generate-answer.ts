import type { TokensUsed } from '@quire/shared/contracts';
import type { Logger } from '@quire/shared/logging';
import { CitationChecker } from '../citations/citation-checker.js';
import { StorablePieces } from './storable-pieces.js';
import { ModelUnavailable, type ChatMessage, type ChatModel } from './chat-model.js';

export interface GeneratedAnswer {
  text: string;
  model: string;
  /** Passage numbers in the order of their first citation. */
  cited: number[];
  tokens: TokensUsed;
}

export interface AnswerSink {
  delta(text: string): void;
  /** What was shown so far is void: the answer starts anew. */
  reset(reason: string): Promise<void>;
}

/**
 * Asks each model of the chain in turn until one gives a whole answer, and shows it as it comes, with only those
 * citations that name a passage. Answers undefined when no model did.
 */
export async function generateAnswer(
  models: readonly ChatModel[],
  messages: readonly ChatMessage[],
  passageCount: number,
  sink: AnswerSink,
  log: Logger,
  signal: AbortSignal,
): Promise<GeneratedAnswer | undefined> {
  const tokens: TokensUsed = { prompt: 0, completion: 0, total: 0 };
  for (const model of models) {
    const checker = new CitationChecker(passageCount);
    const storable = new StorablePieces();
    let text = '';
    const show = (piece: string) => {
      text += piece;
      sink.delta(piece);
    };
    try {
      for await (const event of model.stream(messages, signal)) {
        if (event.type === 'text') show(checker.push(storable.push(event.text)));
        else addTokens(tokens, event.tokens);
      }
      show(checker.push(storable.end()) + checker.end());
      if (text.trim().length > 0) return { text, model: model.name, cited: checker.cited, tokens };
      log.warn({ stage: 'agent', model: model.name }, 'The model gave an empty answer');
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      const level = error.kind === 'configuration' ? 'error' : 'warn';
      log[level]({ stage: 'agent', model: model.name, kind: error.kind, error }, 'The model did not answer');
    }
    if (text.length > 0) await sink.reset('model_failed');
  }
  return undefined;
}

function addTokens(total: TokensUsed, more: TokensUsed): void {
  total.prompt += more.prompt;
  total.completion += more.completion;
  total.total += more.total;
}
