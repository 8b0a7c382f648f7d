import { CommandFailure } from '../command-failure.js';
import { isInScope, questionTypes, type GoldenQuestion } from '../golden/golden-question.js';

/** With fewer of a kind, a single question would move a share by more than ten points. */
export const FEWEST_OF_A_KIND = 10;

export interface Halves {
  /** The preset is fitted on these. */
  fit: GoldenQuestion[];
  /** It is judged by these. */
  judge: GoldenQuestion[];
}

/** Every second question of each type, in the order of the file: the same file always gives the same halves. */
export function splitInHalves(questions: readonly GoldenQuestion[]): Halves {
  const halves: Halves = { fit: [], judge: [] };
  for (const type of questionTypes) {
    const ofType = questions.filter((question) => question.type === type);
    for (const [i, question] of ofType.entries()) halves[i % 2 === 0 ? 'fit' : 'judge'].push(question);
  }
  return halves;
}

export function requireEnough({ fit, judge }: Halves): void {
  const inside = (half: readonly GoldenQuestion[]) => half.filter(isInScope).length;
  const outside = (half: readonly GoldenQuestion[]) => half.length - inside(half);
  if ([inside(fit), outside(fit), inside(judge), outside(judge)].every((count) => count >= FEWEST_OF_A_KIND))
    return;
  throw new CommandFailure(
    `There are too few questions to calibrate with: each half needs ${FEWEST_OF_A_KIND} in-scope and ` +
      `${FEWEST_OF_A_KIND} out_of_scope questions, but the first has ${inside(fit)} and ${outside(fit)}, ` +
      `the second ${inside(judge)} and ${outside(judge)}.`,
  );
}
