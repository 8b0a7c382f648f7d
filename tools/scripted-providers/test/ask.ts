import type OpenAI from 'openai';

export const question = {
  model: 'gpt-5-mini',
  messages: [{ role: 'user' as const, content: 'What is a chunk?' }],
};

export interface StreamedAnswer {
  text: string;
  chunks: OpenAI.ChatCompletionChunk[];
}

/** Reads a stream to its end; what arrived before a failure is in `seen`. */
export async function streamAnswer(
  client: OpenAI,
  options: { signal?: AbortSignal; includeUsage?: boolean; seen?: string[] } = {},
): Promise<StreamedAnswer> {
  const stream = await client.chat.completions.create(
    {
      ...question,
      stream: true,
      ...(options.includeUsage ? { stream_options: { include_usage: true } } : {}),
    },
    options.signal ? { signal: options.signal } : {},
  );
  const seen = options.seen ?? [];
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    const content = chunk.choices[0]?.delta.content;
    if (content) seen.push(content);
  }
  return { text: seen.join(''), chunks };
}
