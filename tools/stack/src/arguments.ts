import { parseArgs } from 'node:util';

export interface StackArguments {
  agents: number;
  retrievers: number;
  help: boolean;
}

export class ArgumentError extends Error {}

const MOST_WORKERS = 64;

export const USAGE = `Usage: npm start -- [options]

  --agents N       agent worker processes (default 1)
  --retrievers N   retrieval worker processes (default 1)
  --help           this text

Settings come from the environment and from .env; see .env.example.`;

export function parseArguments(args: readonly string[]): StackArguments {
  const { values } = parse(args);
  return {
    agents: workers('--agents', values.agents),
    retrievers: workers('--retrievers', values.retrievers),
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        agents: { type: 'string' },
        retrievers: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new ArgumentError((error as Error).message);
  }
}

function workers(option: string, text = '1'): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MOST_WORKERS) {
    throw new ArgumentError(`${option} takes a number from 1 to ${MOST_WORKERS}, not '${text}'`);
  }
  return count;
}
