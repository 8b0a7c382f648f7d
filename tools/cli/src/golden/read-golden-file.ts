import { readFile } from 'node:fs/promises';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { parseGoldenLines } from './parse-golden-lines.js';
import type { GoldenQuestion } from './golden-question.js';

/** The questions of a golden file; ends the command with every problem of the file at once. */
export async function readGoldenFile(path: string): Promise<GoldenQuestion[]> {
  const { questions, problems } = parseGoldenLines(await readText(path));
  if (problems.length > 0) {
    const list = problems.map(({ line, problem }) => `  ${path}:${line}: ${problem}\n`).join('');
    throw new CommandFailure(`The golden file cannot be used:\n${list.trimEnd()}`);
  }
  if (questions.length === 0) throw new CommandFailure(`There are no questions in ${path}.`);
  return questions;
}

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new CommandFailure(`${path} ${reason}.`, exitCodes.usage);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`${path} is not valid UTF-8.`);
  }
}
