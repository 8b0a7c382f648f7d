import { z } from 'zod';
import { chatBehaviourSchema } from './chat/chat-behaviour.js';
import { embeddingsBehaviourSchema } from './embeddings/embeddings-behaviour.js';
import { rerankBehaviourSchema } from './rerank/rerank-behaviour.js';
import type { ScriptedProviders } from './scripted-providers.js';

const scriptOf = <Behaviour extends z.ZodType>(behaviour: Behaviour) =>
  z.strictObject({ queue: z.array(behaviour).default([]), byDefault: behaviour.optional() }).optional();

const scriptFileSchema = z.strictObject({
  chat: scriptOf(chatBehaviourSchema),
  embeddings: scriptOf(embeddingsBehaviourSchema),
  rerank: scriptOf(rerankBehaviourSchema),
});

/** Applies behaviours from JSON; none is applied when one is invalid. */
export function applyScript(providers: ScriptedProviders, json: unknown): void {
  const { chat, embeddings, rerank } = scriptFileSchema.parse(json);
  providers.chat.enqueue(...(chat?.queue ?? []));
  providers.embeddings.enqueue(...(embeddings?.queue ?? []));
  providers.rerank.enqueue(...(rerank?.queue ?? []));
  if (chat?.byDefault) providers.chat.byDefault(chat.byDefault);
  if (embeddings?.byDefault) providers.embeddings.byDefault(embeddings.byDefault);
  if (rerank?.byDefault) providers.rerank.byDefault(rerank.byDefault);
}
