/** What a line typed at the prompt means. */
export type ChatLine =
  | { kind: 'nothing' }
  | { kind: 'question'; text: string }
  | { kind: 'command'; name: string; argument: string };

export function readChatLine(line: string): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('/')) return { kind: 'question', text };
  const [name = ''] = text.split(/\s/, 1);
  return { kind: 'command', name, argument: text.slice(name.length).trim() };
}
