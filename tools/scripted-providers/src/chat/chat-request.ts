import { z } from 'zod';

const contentPart = z.looseObject({ type: z.string(), text: z.string().optional() });

const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
});

/** The fields the server reads; all other fields of the body are kept. */
export const chatRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;

export function messageTexts(request: ChatRequest): string[] {
  return request.messages.map(({ content }) => {
    if (typeof content === 'string') return content;
    return (content ?? []).map((part) => part.text ?? '').join('\n');
  });
}
