import { z } from 'zod';
import { milliseconds } from '../behaviours/delivery.js';
import { errorSchema, refuseSchema } from '../behaviours/fault.js';

const tokenPosition = z.int().min(0).optional();

const toolCallSchema = z.strictObject({
  name: z.string(),
  /** Sent as given, even if it is broken JSON. */
  arguments: z.string(),
  /** How many chunks of a stream carry the arguments. */
  splitOver: z.int().min(1).default(1),
  /** As Gemini streams it: whole, without an index, with a signature that the next request must contain. */
  thoughtSignature: z.string().optional(),
});

/**
 * Without `text`, `tokens` or `toolCalls` the answer is made from the passages in the prompt.
 *
 * A token is one chunk with content of the stream: a piece of reasoning, of text, then of a tool call.
 * A fault placed beyond the last token happens after it, before the finishing chunk.
 */
const answerSchema = z
  .strictObject({
    kind: z.literal('answer'),
    text: z.string().optional(),
    tokens: z.array(z.string()).optional(),
    /** Repeats or shortens the answer made from the prompt to exactly so many tokens. */
    tokenCount: z.int().min(1).optional(),
    toolCalls: z.array(toolCallSchema).default([]),
    firstTokenMs: milliseconds,
    tokenMs: milliseconds,
    /** Compatible servers use other names; null leaves the stream without a reason. */
    finishReason: z.string().nullable().optional(),
    /** Pieces of `reasoning_content` before the content. */
    reasoning: z.array(z.string()).default([]),
    /** Sends each token as a list of parts, as Mistral does. */
    asParts: z.boolean().default(false),
    usage: z.strictObject({ promptTokens: z.int().min(0), completionTokens: z.int().min(0) }).optional(),
    omitUsage: z.boolean().default(false),
    /** Destroys the socket; an answer that is not streamed ends half-way through its body. */
    cutAfterTokens: tokenPosition,
    /** Sends nothing more until the client closes the connection; an answer that is not streamed never starts. */
    stallAfterTokens: tokenPosition,
    /** Sends a `data:` line that is not JSON; an answer that is not streamed has a broken body. */
    malformedChunkAfterTokens: tokenPosition,
    /** Sends `choices: []` without content. */
    emptyChoices: z.boolean().default(false),
  })
  .refine(
    ({ text, tokens, tokenCount }) => [text, tokens, tokenCount].filter((v) => v !== undefined).length <= 1,
    {
      error: 'give one of text, tokens and tokenCount',
    },
  )
  .refine(({ usage, omitUsage }) => usage === undefined || !omitUsage, { error: 'give usage or omitUsage' });

export const chatBehaviourSchema = z.discriminatedUnion('kind', [answerSchema, errorSchema, refuseSchema]);

export type ChatBehaviour = z.input<typeof chatBehaviourSchema>;
export type ChatAnswer = z.input<typeof answerSchema>;
export type ResolvedChatAnswer = z.output<typeof answerSchema>;
export type ScriptedToolCall = z.output<typeof toolCallSchema>;
