import type { AnswerMode, ConfidenceLevel, MarkupRemoved, Source } from '@quire/shared/contracts';
import type { RetrievalCallRecord } from '@quire/shared/database';

/** What a run tells its caller, before it becomes a `ChatResponse`. */
export interface Answer {
  mode: AnswerMode;
  text: string | null;
  fallbackMessage?: string;
  degradedReason?: string;
  uncited?: boolean;
  markupRemoved?: MarkupRemoved | undefined;
  sources: Source[];
  confidence: number;
  confidenceLevel: ConfidenceLevel;
  /** Whether retrieval's confidence was `low`. */
  lowConfidence: boolean;
  shouldAnswer: boolean;
  retrievalCount: number;
  retrievalCalls: RetrievalCallRecord[];
  /** The question that was searched for, if it differs from the caller's. */
  rewrittenQuery?: string;
  model: string | null;
  timings: { retrieval: number; generation: number };
}

export const FALLBACK_MESSAGE = 'AI summarization unavailable';

export const REFUSAL =
  'I could not find anything in the book that answers this question. Try other words, or ask about another topic of the book.';
export const SELECTION_REFUSAL = 'This question cannot be answered from the selected text.';

const oneStepDown: Record<ConfidenceLevel, ConfidenceLevel> = {
  high: 'medium',
  medium: 'low',
  low: 'insufficient',
  insufficient: 'insufficient',
};

/** For an answer without citations: nothing shows that it rests on the passages. */
export function lowerLevel(level: ConfidenceLevel): ConfidenceLevel {
  return oneStepDown[level];
}
