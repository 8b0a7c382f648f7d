import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { exitCodes } from '../command-failure.js';
import { gatewayAddress } from '../gateway/gateway-address.js';
import { GatewayClient } from '../gateway/gateway-client.js';
import { textStyle } from '../text-style.js';
import { answerView } from './answer-view.js';
import { readAskInput } from './ask-input.js';
import { askQuestion } from './ask-question.js';
import { questionFrom, withQuestionOptions, type QuestionOptions } from './question-options.js';

const HELP = `
Examples:
  quire ask "How do ROS 2 nodes communicate?"
  quire ask "What is QoS depth?" --module ros2 --json
  quire ask "What does this mean?" --selected-text passage.txt
  echo "What is a topic?" | quire ask

Ctrl-C cancels the question where it is being answered.
`;

interface AskOptions extends QuestionOptions {
  selectedText?: string;
}

export function askCommand(context: CommandContext): Command {
  const { terminal, signal, env, onExitCode } = context;

  const ask = async (words: string[], { selectedText: selection, ...options }: AskOptions) => {
    const { question, selectedText } = await readAskInput(words, selection, terminal);
    const gateway = new GatewayClient(await gatewayAddress(context, options));
    const view = answerView(terminal, textStyle(terminal.isLive, env), options.json ? 'document' : undefined);
    const response = await askQuestion(
      { gateway, terminal, view, signal },
      {
        ...questionFrom(question, options),
        ...(selectedText !== undefined && { selected_text: selectedText }),
      },
    );
    if (!response) onExitCode(exitCodes.interrupted);
  };

  return withQuestionOptions(
    new Command('ask')
      .summary('ask the book a question')
      .description('Asks the book a question and shows the answer with its sources.')
      .argument('[question...]', 'the question; without one it is read from what is piped in')
      .option('--selected-text <file>', 'answer from this text alone; - takes what is piped in')
      .option('--json', 'print the whole response as JSON'),
  )
    .addHelpText('after', HELP)
    .action(ask);
}
