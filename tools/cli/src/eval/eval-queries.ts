import { TOP_K_DEFAULT, type RetrievalMode, type RetrievalQuery } from '@quire/shared/contracts';
import { isInScope, type GoldenQuestion } from '../golden/golden-question.js';

export const modes = ['hybrid', 'dense', 'sparse'] as const satisfies RetrievalMode[];

/** What an answer is for: the ranking in a mode, or how far a chat would trust it. */
export type Purpose = RetrievalMode | 'confidence';

export interface EvalQuery {
  question: GoldenQuestion;
  purpose: Purpose;
  query: RetrievalQuery;
}

/** Rankings are asked for without a threshold, confidence the way a chat asks that sets nothing itself. */
export function evalQueries(questions: readonly GoldenQuestion[], topK: number): EvalQuery[] {
  return questions.flatMap((question): EvalQuery[] => {
    const query = question.question;
    const rankings = modes.map((mode): EvalQuery => ({
      question,
      purpose: mode,
      query: { query, top_k: topK, similarity_threshold: 0, mode },
    }));
    const asChat: EvalQuery = {
      question,
      purpose: 'confidence',
      query: { query, top_k: TOP_K_DEFAULT, mode: 'hybrid' },
    };
    return isInScope(question) ? [...rankings, asChat] : [asChat];
  });
}
