import type { Completion } from './completion.js';

/** A streamed completion as server-sent events: one frame per token, then the frames that end the stream. */
export interface CompletionFrames {
  tokens: string[];
  closing: string;
}

/** Frames are concatenated from prepared text: a benchmark sends millions that differ in the token alone. */
export function completionFrames(completion: Completion, includeUsage: boolean): CompletionFrames {
  const { id, created, model, usage } = completion;
  const head = `data: {"id":"${id}","object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)}`;
  const tail = includeUsage ? ',"usage":null}\n\n' : '}\n\n';
  const before = `${head},"choices":[{"index":0,"delta":`;
  const after = `,"logprobs":null,"finish_reason":null}]${tail}`;

  const ending =
    includeUsage && usage !== undefined
      ? `${head},"choices":[],"usage":${JSON.stringify(usage)}}\n\ndata: [DONE]\n\n`
      : 'data: [DONE]\n\n';
  if (completion.empty) return { tokens: [], closing: `${head},"choices":[]${tail}${ending}` };

  const opening = `${before}{"role":"assistant","content":"","refusal":null}${after}`;
  const finish = `${before}{},"logprobs":null,"finish_reason":${JSON.stringify(completion.finishReason)}}]${tail}${ending}`;
  const [first, ...rest] = deltas(completion).map((delta) => before + delta + after);
  if (first === undefined) return { tokens: [], closing: opening + finish };
  return { tokens: [opening + first, ...rest], closing: finish };
}

function deltas({ reasoning, tokens, asParts, toolCalls }: Completion): string[] {
  const thoughts = reasoning.map((piece) => JSON.stringify({ reasoning_content: piece }));
  const text = tokens.map((token) => `{"content":${JSON.stringify(contentOf(token, asParts))}}`);
  const calls = toolCalls.flatMap((call, index) =>
    call.thoughtSignature === undefined ? numberedPieces(call, index) : [geminiPiece(call)],
  );
  return [...thoughts, ...text, ...calls];
}

export function contentOf(text: string, asParts: boolean): string | object[] {
  return asParts ? [{ type: 'text', text }] : text;
}

function numberedPieces(
  { id, name, arguments: args, splitOver }: Completion['toolCalls'][number],
  index: number,
): string[] {
  return [
    JSON.stringify({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...slices(args, splitOver).map((piece) =>
      JSON.stringify({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ];
}

function geminiPiece({
  id,
  name,
  arguments: args,
  thoughtSignature,
}: Completion['toolCalls'][number]): string {
  const extra_content = { google: { thought_signature: thoughtSignature } };
  return JSON.stringify({
    tool_calls: [{ id, type: 'function', function: { name, arguments: args }, extra_content }],
  });
}

function slices(text: string, count: number): string[] {
  const at = (part: number): number => Math.floor((part * text.length) / count);
  return Array.from({ length: count }, (_, part) => text.slice(at(part), at(part + 1)));
}
