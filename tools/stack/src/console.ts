/** The output of the stack itself. */
export interface StackConsole {
  say(text: string): void;
  fail(message: string, remedy?: string): void;
}

export const terminal: StackConsole = {
  say: (text) => console.log(text),
  fail: (message, remedy) => console.error(remedy ? `\n${message}\n\n→ ${remedy}\n` : `\n${message}\n`),
};
