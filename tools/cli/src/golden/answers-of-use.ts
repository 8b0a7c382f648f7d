import { CommandFailure } from '../command-failure.js';
import type { Answer } from './ask-all.js';

/** Ends the command when every question failed, most likely for the same reason. */
export function requireAnswers(answers: readonly Answer[]): void {
  const failed = answers.filter((answer) => !answer.ok);
  if (failed.length > 0 && failed.length === answers.length)
    throw new CommandFailure(`Not one question was answered: ${failed[0]?.reason}`);
}

/** Ends the command when nothing is found even without a threshold. */
export function requirePassages(answers: readonly Answer[]): void {
  const found = answers.filter((answer) => answer.ok);
  if (found.length > 0 && found.every(({ result }) => result.chunks.length === 0))
    throw new CommandFailure('The index is empty: ingest the book first (`quire ingest`).');
}
