import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { answerView } from '../ask/answer-view.js';
import { askQuestion } from '../ask/ask-question.js';
import { questionFrom, type QuestionOptions } from '../ask/question-options.js';
import type { InteractiveContext } from '../command-context.js';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { QUIT, runChatCommand, type Chat } from './chat-commands.js';

const PROMPT = '> ';
const GREETING = 'Ask about the book. /help lists what else you can do, Ctrl-D leaves.\n';

type ChatLine =
  | { kind: 'nothing' }
  | { kind: 'question'; text: string }
  | { kind: 'command'; name: string; argument: string };

export class ChatLoop {
  constructor(
    private readonly chat: Chat,
    private readonly options: QuestionOptions,
    private readonly context: InteractiveContext,
  ) {}

  /** Reads lines from the keyboard; Ctrl-C cancels an answer, or ends the chat. */
  async converse(prompt: NonNullable<InteractiveContext['terminal']['prompt']>): Promise<number> {
    const { terminal, signal, interrupts } = this.context;
    terminal.note(GREETING);
    for (;;) {
      const line = await prompt(PROMPT, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return undefined;
      });
      if (line === undefined) terminal.note('\n');
      const read = readChatLine(line ?? QUIT);
      if (read.kind === 'command' && read.name === QUIT) break;
      await this.reportingFailure(async () => {
        if (read.kind === 'command') await runChatCommand(this.chat, read.name, read.argument);
        if (read.kind === 'question') await interrupts.during((ended) => this.answer(read.text, ended));
      });
    }
    return signal.aborted ? exitCodes.interrupted : exitCodes.ok;
  }

  /** Asks every line as a question; Ctrl-C ends them all. */
  async answerAll(piped: Readable): Promise<number> {
    const { signal } = this.context;
    let allAnswered = true;
    for await (const line of createInterface({ input: piped, crlfDelay: Infinity, signal })) {
      if (line.trim() === '') continue;
      allAnswered = (await this.reportingFailure(() => this.answer(line.trim(), signal))) && allAnswered;
      if (signal.aborted) return exitCodes.interrupted;
    }
    return allAnswered ? exitCodes.ok : exitCodes.failed;
  }

  private async answer(question: string, signal: AbortSignal): Promise<void> {
    const { terminal, style, conversation, gateway } = this.chat;
    const view = answerView(terminal, style, this.options.json ? 'line' : undefined);
    const session = conversation.sessionId;
    const asked = questionFrom(question, { ...this.options, session });
    const response = await askQuestion({ gateway, terminal, view, signal }, asked);
    if (!response) return;
    conversation.lastAnswer = response;
    if (!this.options.json) terminal.write('\n');
  }

  /** Prints a failure, so that the chat goes on; returns whether the work succeeded. */
  private async reportingFailure(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      this.chat.terminal.note(`${error.message}\n`);
      return false;
    }
  }
}

export function readChatLine(line: string): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('/')) return { kind: 'question', text };
  const [name = ''] = text.split(/\s/, 1);
  return { kind: 'command', name, argument: text.slice(name.length).trim() };
}
