import { TOP_K_MAX } from '@quire/shared/contracts';
import type { Command } from 'commander';
import type { Question } from '../gateway/run-stream.js';
import { numberFrom, webAddress } from '../option-values.js';

export interface QuestionOptions {
  url?: string;
  apiKey?: string;
  session?: string;
  topK?: number;
  module?: string;
  urlPrefix?: string;
  json?: boolean;
}

/** The options of every command that asks questions. */
export function withQuestionOptions(command: Command): Command {
  return command
    .option('--session <id>', 'continue this thread')
    .option('--top-k <number>', 'how many passages the answer may rest on', numberFrom(1, TOP_K_MAX))
    .option('--module <name>', 'search only this part of the book')
    .option('--url-prefix <url>', 'search only pages whose address starts with this')
    .option('--url <url>', 'where Quire is (default: QUIRE_URL, or the running stack)', webAddress)
    .option('--api-key <key>', 'the key to ask with (default: QUIRE_API_KEY, which others cannot see)');
}

/** A question as the gateway takes it. */
export function questionFrom(
  message: string,
  options: Omit<QuestionOptions, 'url' | 'apiKey' | 'json'>,
): Question {
  const { session, topK, module, urlPrefix } = options;
  const filters = {
    ...(module !== undefined && { module }),
    ...(urlPrefix !== undefined && { url_prefix: urlPrefix }),
  };
  return {
    message,
    ...(session !== undefined && { session_id: session }),
    ...(topK !== undefined && { top_k: topK }),
    ...(Object.keys(filters).length > 0 && { filters }),
  };
}
