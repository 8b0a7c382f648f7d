import { counted } from '../counted.js';
import { confidenceText } from '../golden/confidence-summary.js';
import { questionTypes } from '../golden/golden-question.js';
import { plainTable, type Cell } from '../golden/plain-table.js';
import { modes } from './eval-queries.js';
import type { EvalReport, FailedQuestion } from './eval-report.js';
import { rankingFigureNames, type RankingSummary } from './ranking-summary.js';

export function evalText(report: EvalReport): string {
  return [
    `By mode\n${rankingTable(report, allRows(report))}`,
    `By type of question\n${rankingTable(report, typeRows(report))}`,
    confidenceText(report.confidence),
    missedText(report),
  ].join('\n');
}

export function failuresText(failed: readonly FailedQuestion[]): string {
  const lines = failed.map(({ id, purpose, reason }) => `  ${id} (${purpose}): ${reason}\n`);
  return `${counted(failed.length, 'answer')} failed; they count in no figure:\n${lines.join('')}`;
}

type Row = [label: string, summary: RankingSummary];

const allRows = ({ modes: reports }: EvalReport): Row[] => modes.map((mode) => [mode, reports[mode].all]);

function typeRows({ modes: reports }: EvalReport): Row[] {
  return questionTypes.flatMap((type) =>
    modes.flatMap((mode): Row[] => {
      const summary = reports[mode].by_type[type];
      return summary ? [[`${type}, ${mode}`, summary]] : [];
    }),
  );
}

function rankingTable({ top_k: topK }: EvalReport, rows: readonly Row[]): string {
  const names = rankingFigureNames(topK);
  const cells = rows.map(([label, { questions, figures }]): Cell[] => [
    label,
    String(questions),
    ...names.map((name) => figures[name] ?? null),
  ]);
  return plainTable(['', 'questions', ...names], cells);
}

function missedText({ missed, questions, top_k: topK }: EvalReport): string {
  if (missed.length === 0) return `The hybrid search finds every in-scope question within ${topK}.\n`;
  const lines = questions
    .filter(({ id }) => missed.includes(id))
    .map(({ id, question, expected }) => `  ${id}: ${question}\n    expected ${expected.join(', ')}\n`);
  return `${counted(missed.length, 'in-scope question')} missed by the hybrid search within ${topK}:\n${lines.join('')}`;
}
