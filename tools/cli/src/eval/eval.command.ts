import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { numberFrom } from '../option-values.js';
import { addGate, type Gate } from './gates.js';
import { runEval } from './run-eval.js';

const TOP_K = 10;
const CONCURRENCY = 8;

const HELP = `
Examples:
  quire eval books/physical-ai/golden.jsonl
  quire eval golden.jsonl --fail-under hybrid.hit@5=0.9 --fail-under confidence.out_of_scope.insufficient_or_low=0.9

A line of a golden file:
  {"id":"q1","type":"lexical","question":"What is QoS depth?","expected":["ros2/qos#history"]}

Types are lexical, paraphrased, multi_section and out_of_scope (with nothing expected). A section is the end of a
page's address with the heading's anchor; without an anchor it is the page's introduction, and / is the start
page. "needs" is "any" when one of the sections is the whole answer, "all" when each is a part of it; it may be left
out, and is "all" for multi_section.
`;

interface EvalOptions {
  topK: number;
  out: string;
  json: boolean;
  concurrency: number;
  failUnder?: Gate[];
}

export function evalCommand({ onExitCode, ...context }: CommandContext): Command {
  return new Command('eval')
    .summary('measure how well searches find what they should')
    .description(
      'Searches the running Quire for the questions of a golden file and measures how well it finds their sections.',
    )
    .argument('<golden file>', 'questions as JSON Lines, each with the sections that answer it')
    .option('--top-k <number>', 'how many passages count', numberFrom(1, 100), TOP_K)
    .option('--json', 'print the report as JSON instead of tables', false)
    .option('--out <file>', 'where the report is written as JSON', 'quire-eval.json')
    .option('--concurrency <number>', 'how many searches run at once', numberFrom(1, 100), CONCURRENCY)
    .option('--fail-under <figure=value>', 'end with 1 if a figure is lower (repeatable)', addGate)
    .addHelpText('after', HELP)
    .action(async (file: string, { failUnder: gates = [], ...options }: EvalOptions) => {
      try {
        onExitCode(await runEval({ file, gates, ...options }, context));
      } catch (error) {
        if (!context.signal.aborted) throw error;
        context.terminal.note('Stopped; nothing was written.\n');
      }
    });
}
