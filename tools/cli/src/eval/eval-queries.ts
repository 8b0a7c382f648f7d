import { TOP_K_DEFAULT, type RetrievalMode, type RetrievalQuery } from '@quire/shared/contracts';
import { isInScope, type GoldenQuestion } from '../golden/golden-question.js';

export const modes = ['hybrid', 'dense', 'sparse'] as const satisfies RetrievalMode[];

/** What a search is for: the ranking in a mode, or the confidence of a chat. */
export type Purpose = RetrievalMode | 'confidence';

export interface EvalQuery {
  question: GoldenQuestion;
  purpose: Purpose;
  query: RetrievalQuery;
}

/** Rankings are searched without a threshold, confidence as a chat with default options. */
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
