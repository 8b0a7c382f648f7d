import {
  QUESTION_MAX_CHARACTERS,
  storableString,
  TOP_K_DEFAULT,
  TOP_K_MAX,
  type RetrievedChunk,
} from '@quire/shared/contracts';
import { DependencyUnavailable } from '@quire/shared/errors';
import { z } from 'zod';
import type { ChatMessage, ToolCall, ToolDefinition } from '../generation/chat-model.js';
import { quotePassages } from '../prompt/fence.js';
import { fitPassages } from '../prompt/fit-to-budget.js';
import type { BookSearch } from './book-search.js';
import type { NumberedPassages } from './numbered-passages.js';

export const SEARCH_TOOL = 'search_book_content';

const argumentsSchema = z.object({
  query: storableString()
    .trim()
    .min(1)
    .max(QUESTION_MAX_CHARACTERS)
    .describe('What to look for, as a short stand-alone question or a few key words.'),
  limit: z.int().min(1).max(TOP_K_MAX).default(TOP_K_DEFAULT).describe('How many passages at most.'),
  score_threshold: z.number().min(0).max(1).optional().describe('The least similarity of a passage.'),
});
type SearchArguments = z.infer<typeof argumentsSchema>;

// Gemini does not accept `$schema` in a tool's parameters.
const { $schema: _dialect, ...parameters } = z.toJSONSchema(argumentsSchema, { io: 'input' });

export const searchTool: ToolDefinition = {
  name: SEARCH_TOOL,
  description: 'Searches the book for further passages when those at hand do not hold the answer.',
  parameters,
};

/** Further calls of one completion are refused: a model that repeats itself must not flood the index. */
const CALLS_AT_ONCE = 4;

export interface ToolContext {
  search: BookSearch;
  passages: NumberedPassages;
  fenceKey: string;
  /** What the prompt's budget leaves for further passages; each search lowers it. */
  tokensLeft: number;
}

/**
 * Runs the calls of one completion concurrently and returns a message for each. An invalid call or a search that fails
 * becomes an error message for the model; only an error that ends the run is thrown. Passages are numbered in the order
 * of the calls.
 */
export async function runToolCalls(calls: readonly ToolCall[], context: ToolContext): Promise<ChatMessage[]> {
  const found = await Promise.all(calls.map((call, position) => runCall(call, position, context.search)));
  return calls.map(({ id }, i): ChatMessage => {
    const result = found[i];
    const content = typeof result === 'string' ? `Error: ${result}.` : describe(result ?? [], context);
    return { role: 'tool', toolCallId: id, content };
  });
}

async function runCall(call: ToolCall, position: number, search: BookSearch) {
  if (position >= CALLS_AT_ONCE) return `at most ${CALLS_AT_ONCE} calls at once are allowed`;
  const parsed = parseSearchCall(call);
  if (typeof parsed === 'string') return parsed;
  const { query, limit, score_threshold: threshold } = parsed;
  try {
    return (await search.search({ query, limit, threshold })).chunks;
  } catch (error) {
    if (!(error instanceof DependencyUnavailable)) throw error;
    return 'the search is not available now; answer from what you have';
  }
}

function describe(chunks: readonly RetrievedChunk[], context: ToolContext): string {
  if (chunks.length === 0) return 'Nothing was found.';
  const known = chunks.filter((chunk) => context.passages.numberOf(chunk) !== undefined);
  const fitting = fitPassages(
    chunks.filter((chunk) => !known.includes(chunk)),
    context.tokensLeft,
  );
  if (known.length + fitting.chunks.length === 0)
    return 'There is no room for more: answer from what you have.';
  context.tokensLeft -= fitting.tokens;
  const numbers = known.map((chunk) => `[${context.passages.numberOf(chunk)}]`);
  const already = known.length > 0 ? `You have these already: ${numbers.join(' ')}` : '';
  return [already, quotePassages(context.passages.add(fitting.chunks), context.fenceKey)]
    .filter(Boolean)
    .join('\n\n');
}

/** Returns the arguments, or the problem in words for the model, so that it can correct the call. */
function parseSearchCall({ name, arguments: text }: ToolCall): SearchArguments | string {
  if (name !== SEARCH_TOOL) return `there is no such tool; use ${SEARCH_TOOL}`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'the arguments are not valid JSON';
  }
  const parsed = argumentsSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  return parsed.error.issues
    .map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
    .join('; ');
}
