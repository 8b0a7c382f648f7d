import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/**
 * Asks for one line after another; answers nothing at the end of the input. Between two lines the keyboard is
 * let go, so that Ctrl-C is a signal again. Lines that were pasted together are kept for the next calls.
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
    // While it reads, readline takes Ctrl-C for itself.
    dialogue.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    dialogue.on('history', (lines: string[]) => (history = lines));
    // The line that answers the question is not among these.
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
