import { Command } from 'commander';
import { withQuestionOptions, type QuestionOptions } from '../ask/question-options.js';
import type { InteractiveContext } from '../command-context.js';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { gatewayAddress } from '../gateway/gateway-address.js';
import { GatewayClient } from '../gateway/gateway-client.js';
import { textStyle } from '../text-style.js';
import { Conversation } from './conversation.js';
import { ChatLoop } from './chat-loop.js';

const HELP = `
Examples:
  quire chat
  quire chat --session 6a5e9d0c-7a3f-4e55-9b8e-3f1f5d3a2b10
  quire chat --json < questions.txt > answers.jsonl

Piped in, every line is a question of one thread, and the exit code is 1 if any of them failed.
`;

export function chatCommand(context: InteractiveContext): Command {
  const { terminal, env, onExitCode } = context;

  const chat = async (options: QuestionOptions) => {
    const gateway = new GatewayClient(await gatewayAddress(context, options));
    const style = textStyle(terminal.isLive, env);
    const conversation = new Conversation(options.session);
    const loop = new ChatLoop({ conversation, gateway, terminal, style }, options, context);
    if (terminal.prompt) onExitCode(await loop.converse(terminal.prompt));
    else if (terminal.piped) onExitCode(await loop.answerAll(terminal.piped));
    else
      throw new CommandFailure('A chat needs a terminal, or questions that are piped in.', exitCodes.usage);
  };

  return withQuestionOptions(
    new Command('chat')
      .summary('ask one question after another in a thread')
      .description('Asks one question after another in a thread: answers take earlier ones into account.')
      .option('--json', 'print each response as one line of JSON'),
  )
    .addHelpText('after', HELP)
    .action(chat);
}
