import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/**
 * Asks for one line after another; undefined at the end of the input. Between two lines the keyboard is released, so
 * that Ctrl-C is a signal again. Lines that were pasted together are kept for the next calls.
 */
export function linePrompt(): (text: string, signal: AbortSignal) => Promise<string | undefined> {
  const pending: string[] = [];
  let history: string[] = [];
  return async (text, signal) => {
    const waiting = pending.shift();
    if (waiting !== undefined) {
      process.stderr.write(`${text}${waiting}\n`);
      return waiting;
    }
    const dialogue = createInterface({ input: process.stdin, output: process.stderr, history });
    // readline intercepts Ctrl-C while it reads.
    dialogue.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    dialogue.on('history', (lines: string[]) => (history = lines));
    // Emitted for all lines but the one that `question` resolves with.
    dialogue.on('line', (line: string) => pending.push(line));
    const ended = once(dialogue, 'close').then(() => undefined);
    try {
      return await Promise.race([dialogue.question(text, { signal }), ended]);
    } catch (error) {
      if (signal.aborted) throw error;
      // Ctrl-D, on some versions of Node.
      return undefined;
    } finally {
      dialogue.close();
    }
  };
}
