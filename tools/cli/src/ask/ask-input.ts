import { readFile } from 'node:fs/promises';
import { CommandFailure, exitCodes } from '../command-failure.js';
import type { Terminal } from '../terminal.js';

const STDIN = '-';

export interface AskInput {
  question: string;
  selectedText?: string;
}

/** Reads the question from the arguments or the pipe, and the selected text from a file or the pipe. */
export async function readAskInput(
  words: readonly string[],
  selection: string | undefined,
  terminal: Terminal,
): Promise<AskInput> {
  const given = words.join(' ').trim();
  if (given === '' && selection === STDIN) {
    throw misuse('Give the question as an argument: --selected-text - takes what is piped in.');
  }
  const question = given || (await pipedText(terminal)).trim();
  if (question === '') throw misuse('There is no question. Try: quire ask "How do nodes communicate?"');
  if (selection === undefined) return { question };
  return {
    question,
    selectedText: selection === STDIN ? await pipedText(terminal) : await fileText(selection),
  };
}

async function pipedText({ piped }: Terminal): Promise<string> {
  let text = '';
  for await (const part of piped ?? []) text += String(part);
  return text;
}

async function fileText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw misuse(`${path} cannot be read: ${error.code ?? error.message}.`);
  });
}

const misuse = (message: string) => new CommandFailure(message, exitCodes.usage);
