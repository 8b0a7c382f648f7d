import { QUESTION_MAX_CHARACTERS, storableString, TOP_K_DEFAULT, TOP_K_MAX } from '@quire/shared/contracts';
import { z } from 'zod';
import type { ToolCall, ToolDefinition } from '../generation/chat-model.js';

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
export type SearchArguments = z.infer<typeof argumentsSchema>;

// Gemini does not accept `$schema` in a tool's parameters.
const { $schema: _dialect, ...parameters } = z.toJSONSchema(argumentsSchema, { io: 'input' });

export const searchTool: ToolDefinition = {
  name: SEARCH_TOOL,
  description: 'Searches the book for further passages when those at hand do not hold the answer.',
  parameters,
};

export type ParsedCall = { ok: true; arguments: SearchArguments } | { ok: false; problem: string };

/** Returns the arguments, or the problem in words for the model, so that it can correct the call. */
export function parseSearchCall({ name, arguments: text }: ToolCall): ParsedCall {
  if (name !== SEARCH_TOOL) return { ok: false, problem: `there is no such tool; use ${SEARCH_TOOL}` };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'the arguments are not valid JSON' };
  }
  const parsed = argumentsSchema.safeParse(json);
  if (parsed.success) return { ok: true, arguments: parsed.data };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
  );
  return { ok: false, problem: problems.join('; ') };
}
