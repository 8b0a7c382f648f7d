import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { numberFrom } from '../option-values.js';
import { runCalibrate, type CalibrationRun } from './run-calibrate.js';

const CONCURRENCY = 8;

const HELP = `
Examples:
  quire calibrate books/physical-ai/golden.jsonl
  quire calibrate golden.jsonl --out cohere.json --embedder embed-english-v3.0

Every second question of each type is fitted on, the others judge the preset; \`quire help eval\` shows the format of
a golden file. Retrieval workers use the preset once CONFIDENCE_PRESET names the file.
`;

export function calibrateCommand({ onExitCode, ...context }: CommandContext): Command {
  return new Command('calibrate')
    .summary('fit the confidence levels to the embedder in use')
    .description('Fits a confidence preset to the running embedder, from the questions of a golden file.')
    .argument('<golden file>', 'questions as JSON Lines, in-scope and out_of_scope ones')
    .option('--json', 'print the calibration as JSON instead of tables', false)
    .option('--out <file>', 'where the preset is written', 'confidence-preset.json')
    .option('--concurrency <number>', 'how many searches run at once', numberFrom(1, 100), CONCURRENCY)
    .option('--embedder <name>', 'the name of the embedder, stored in the preset')
    .addHelpText('after', HELP)
    .action(async (file: string, options: Omit<CalibrationRun, 'file'>) => {
      try {
        onExitCode(await runCalibrate({ file, ...options }, context));
      } catch (error) {
        if (!context.signal.aborted) throw error;
        context.terminal.note('Stopped; nothing was written.\n');
      }
    });
}
