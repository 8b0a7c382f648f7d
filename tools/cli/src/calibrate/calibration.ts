import type { ConfidencePreset } from '@quire/shared/contracts';
import {
  summariseConfidence,
  type ConfidenceSummary,
  type LevelOfQuestion,
} from '../golden/confidence-summary.js';
import { fitLevels } from './fit-levels.js';
import { fitLogistic, probabilityOf, type LabelledScore, type LogisticCurve } from './logistic-fit.js';
import { levelOf, scoreOf, type Measure, type Observation } from './observation.js';
import { areaUnderCurve, brierScore, calibrationError } from './probability-quality.js';

export type QuestionObservation = Observation & Pick<LevelOfQuestion, 'type'>;

export interface CalibrationInput {
  similarityThreshold: number;
  /** Searched with that threshold, as in chats. */
  fit: readonly QuestionObservation[];
  judge: readonly QuestionObservation[];
  at: string;
  embedder?: string | undefined;
}

export interface Calibration {
  preset: ConfidencePreset;
  /** Maps a score to the probability that the book answers the question. */
  curve: LogisticCurve & { measure: Measure };
  /** Measured on the half that the preset was not fitted on. */
  judged: {
    questions: number;
    calibration_error: number;
    brier_score: number;
    auc: number;
    confidence: ConfidenceSummary;
  };
}

export function calibrate({ similarityThreshold, fit, judge, at, embedder }: CalibrationInput): Calibration {
  const levels = fitLevels(fit);
  const measure = levels[0]?.measure ?? 'best';
  const labelled = (observations: readonly Observation[]): LabelledScore[] =>
    observations.map((each) => ({ score: scoreOf(measure, each), label: each.inScope }));
  const curve = fitLogistic(labelled(fit));
  const judged = labelled(judge);
  const predictions = judged.map(({ score, label }) => ({ probability: probabilityOf(score, curve), label }));
  const error = calibrationError(predictions);
  return {
    preset: {
      similarityThreshold,
      levels,
      fitted: { ...(embedder ? { embedder } : {}), questions: fit.length, at, calibration_error: error },
    },
    curve: { measure, ...curve },
    judged: {
      questions: judge.length,
      calibration_error: error,
      brier_score: brierScore(predictions),
      auc: areaUnderCurve(judged),
      confidence: summariseConfidence(
        judge.map((each) => ({ type: each.type, level: levelOf(each, { levels }) })),
      ),
    },
  };
}
