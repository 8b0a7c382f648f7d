import { untilAborted } from '@quire/shared/process';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { withDatabase } from '../database-access.js';
import { numberFrom } from '../option-values.js';
import { plainJson } from '../plain-text.js';
import { feedbackReport } from './feedback-report.js';
import { feedbackText } from './feedback-text.js';

const DAYS = 30;
const COMMENTS = 10;
const DAY_MS = 24 * 3_600_000;

const EXAMPLES = `
Examples:
  quire feedback
  quire feedback --days 7 --comments 50
  quire feedback --json | jq .total.share_up
`;

interface FeedbackOptions {
  days: number;
  comments: number;
  tenant?: string;
  json: boolean;
}

export function feedbackCommand(context: CommandContext): Command {
  const { terminal, signal } = context;
  const report = async ({ days, comments, tenant, json }: FeedbackOptions) => {
    const scope = { since: new Date(Date.now() - days * DAY_MS), tenant };
    const found = await withDatabase(context, (db) => feedbackReport(db, scope, comments));
    terminal.write(json ? `${plainJson(found)}\n` : feedbackText(found));
  };
  return new Command('feedback')
    .summary('report the ratings of answers')
    .description('Counts the ratings of answers, up and down, by day and by mode, with the newest comments.')
    .option('--days <number>', 'how far to look back', numberFrom(1, 3650), DAYS)
    .option('--comments <number>', 'how many comments to show', numberFrom(0, 1000), COMMENTS)
    .option('--tenant <name>', 'the feedback of one tenant alone')
    .option('--json', 'print the report as JSON instead of tables', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: FeedbackOptions) => {
      await untilAborted(signal, report(options)).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        terminal.note('Stopped.\n');
      });
    });
}
