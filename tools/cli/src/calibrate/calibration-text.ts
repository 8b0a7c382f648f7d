import { confidenceText } from '../golden/confidence-summary.js';
import { plainTable } from '../golden/plain-table.js';
import type { Calibration } from './calibration.js';
import type { Measure } from './observation.js';

const measureNames: Record<Measure, string> = {
  best: 'best similarity',
  average: 'average similarity',
  lexical: 'lexical score',
  evidence: 'best similarity and lexical score, half each',
};

export function calibrationText({ preset, judged }: Calibration): string {
  const rules = preset.levels.map(({ level, measure, atLeast, chunks }) => [
    level,
    measureNames[measure],
    atLeast.toFixed(4),
    String(chunks),
  ]);
  return [
    `The preset, fitted on ${preset.fitted?.questions} questions; passages below ` +
      `${preset.similarityThreshold.toFixed(4)} are left out\n` +
      plainTable(['level', 'measure', 'at least', 'passages'], rules),
    `Judged by the other ${judged.questions} questions\n` +
      plainTable(
        ['figure', 'value'],
        [
          ['expected calibration error', judged.calibration_error],
          ['Brier score', judged.brier_score],
          ['area under the ROC curve', judged.auc],
        ],
      ),
    confidenceText(judged.confidence),
  ].join('\n');
}
