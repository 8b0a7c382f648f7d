import { confidencePresetSchema } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { calibrate, type QuestionObservation } from './calibration.js';

const ten = (type: 'lexical' | 'out_of_scope', similarity: number): QuestionObservation[] =>
  Array.from({ length: 10 }, () => ({
    type,
    inScope: type === 'lexical',
    similarities: [similarity, similarity],
    lexicalScore: 0.5,
  }));
const apart = [...ten('lexical', 0.8), ...ten('out_of_scope', 0.2)];
const wrongWayRound = [...ten('lexical', 0.2), ...ten('out_of_scope', 0.8)];
const calibrated = (fit: QuestionObservation[], judge: QuestionObservation[]) =>
  calibrate({ similarityThreshold: 0.1, fit, judge, at: '2026-01-02T03:04:05.678Z' });

it('the preset is fitted on one half alone', () => {
  const { preset } = calibrated(apart, wrongWayRound);
  expect(confidencePresetSchema.parse(preset)).toMatchObject({
    similarityThreshold: 0.1,
    fitted: { questions: 20 },
  });
  expect(preset.levels).toEqual(calibrated(apart, apart).preset.levels);
});

it('every figure is measured on the other half alone', () => {
  const alike = calibrated(apart, apart);
  expect(alike.judged.auc).toBe(1);
  // Platt's targets for ten of each kind are 11/12 and 1/12: each predicted probability is off by a twelfth.
  expect(alike.judged.calibration_error).toBeCloseTo(1 / 12, 4);
  expect(alike.judged.brier_score).toBeCloseTo(1 / 144, 4);
  expect(alike.judged.confidence.in_scope.should_answer).toBe(1);

  const { judged, preset } = calibrated(apart, wrongWayRound);
  expect(judged.auc).toBe(0);
  expect(judged.calibration_error).toBeCloseTo(11 / 12, 4);
  expect(preset.fitted?.calibration_error).toBe(judged.calibration_error);
  expect(judged.brier_score).toBeCloseTo(121 / 144, 4);
  expect(judged.confidence).toMatchObject({
    in_scope: { should_answer: 0 },
    out_of_scope: { insufficient_or_low: 0 },
  });
});
