import { sourcesText } from '../ask/sources-text.js';
import type { GatewayClient } from '../gateway/gateway-client.js';
import { plainLine } from '../plain-text.js';
import type { Terminal } from '../terminal.js';
import type { TextStyle } from '../text-style.js';
import type { Conversation } from './conversation.js';
import { threadsText } from './threads-text.js';

export interface Chat {
  conversation: Conversation;
  gateway: GatewayClient;
  terminal: Terminal;
  style: TextStyle;
}

interface ChatCommand {
  usage: string;
  about: string;
  /** Returns the text to print. */
  run(chat: Chat, argument: string): string | Promise<string>;
}

export const QUIT = '/quit';

const chatCommands: Record<string, ChatCommand> = {
  '/new': {
    usage: '/new',
    about: 'start a new thread',
    run({ conversation }) {
      conversation.begin();
      return 'A new thread.\n';
    },
  },
  '/threads': {
    usage: '/threads',
    about: 'list your threads',
    async run({ conversation, gateway, style }) {
      const list = await gateway.threads();
      conversation.listed = list.threads;
      return threadsText(list, conversation.sessionId, style);
    },
  },
  '/open': {
    usage: '/open <number|id>',
    about: 'continue a thread, by its number in the list or its id',
    run({ conversation }, argument) {
      const thread = conversation.find(argument);
      if (thread === undefined) return 'There is no such thread: /threads lists them.\n';
      conversation.begin(thread);
      const title = conversation.listed.find(({ session_id }) => session_id === thread)?.title;
      return `Continuing ${title === undefined ? thread : `“${plainLine(title)}”`}.\n`;
    },
  },
  '/sources': {
    usage: '/sources',
    about: 'show the sources of the last answer again',
    run({ conversation: { lastAnswer }, style }) {
      if (!lastAnswer || lastAnswer.sources.length === 0) return 'There are no sources to show.\n';
      return sourcesText(lastAnswer.sources, style, { snippets: true });
    },
  },
  '/help': { usage: '/help', about: 'show this list', run: () => helpText() },
  [QUIT]: { usage: QUIT, about: 'leave; so do Ctrl-D and Ctrl-C', run: () => '' },
};

function helpText(): string {
  const lines = Object.values(chatCommands).map(({ usage, about }) => `  ${usage.padEnd(18)} ${about}\n`);
  return `${lines.join('')}Everything else is a question. Ctrl-C while it is answered cancels it.\n`;
}

export async function runChatCommand(chat: Chat, name: string, argument: string): Promise<void> {
  const command = Object.hasOwn(chatCommands, name) ? chatCommands[name] : undefined;
  const text = command
    ? await command.run(chat, argument)
    : `${name} is unknown: /help lists the commands.\n`;
  chat.terminal.note(text);
}
