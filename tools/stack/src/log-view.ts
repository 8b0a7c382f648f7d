import { prettyFactory } from 'pino-pretty';

const NAME_WIDTH = 'retrieval-worker-1'.length;
const COLOURS = [36, 35, 33, 32, 34, 31];

/** Formats a line that a service has printed: JSON logs become readable, other lines are unchanged. */
export function createLogView(colours: boolean): (service: string, line: string) => string {
  const pretty = prettyFactory({
    colorize: colours,
    messageKey: 'message',
    timestampKey: 'timestamp',
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'service,pid,hostname',
    singleLine: true,
  });
  const seen: string[] = [];
  return (service, line) => {
    if (!seen.includes(service)) seen.push(service);
    const name = service.padEnd(NAME_WIDTH);
    const colour = COLOURS[seen.indexOf(service) % COLOURS.length] ?? 0;
    const prefix = colours ? `\u001B[${colour}m${name}\u001B[0m` : name;
    const text = line.startsWith('{') ? pretty(line) : line;
    return text
      .trimEnd()
      .split('\n')
      .map((part) => `${prefix} ${part}`)
      .join('\n');
  };
}
