import { EndpointScript } from './behaviours/endpoint-script.js';
import type { Script } from './behaviours/script.js';
import { type ChatBehaviour, chatBehaviourSchema } from './chat/chat-behaviour.js';
import type { ChatScript } from './chat/chat-endpoint.js';
import type { ChatRequest } from './chat/chat-request.js';
import { type EmbeddingsBehaviour, embeddingsBehaviourSchema } from './embeddings/embeddings-behaviour.js';
import type { EmbeddingsRequest } from './embeddings/embeddings-request.js';
import type { EmbeddingsScript } from './embeddings/embeddings-script.js';
import type { RerankScript } from './rerank/cohere-rerank-endpoint.js';
import { type RerankBehaviour, rerankBehaviourSchema } from './rerank/rerank-behaviour.js';
import type { RerankRequest } from './rerank/rerank-request.js';
import type { Access } from './server/endpoint.js';
import { listen } from './server/listen.js';
import { routeBy } from './server/routes.js';

const KEEP_REQUESTS = 10_000;

export interface ScriptedProvidersOptions extends Access {
  /** Any free port when left out. */
  port?: number | undefined;
  /** How many of the latest requests each script remembers. */
  keepRequests?: number | undefined;
}

/** A server on the loopback address with the APIs of OpenAI, Gemini and Cohere, which fails as scripted. */
export interface ScriptedProviders {
  readonly openaiBaseUrl: string;
  readonly geminiBaseUrl: string;
  readonly cohereBaseUrl: string;
  readonly chat: Script<ChatRequest, ChatBehaviour>;
  readonly embeddings: Script<EmbeddingsRequest, EmbeddingsBehaviour>;
  readonly rerank: Script<RerankRequest, RerankBehaviour>;
  /** Clears every queue and every recorded request; default behaviours stay. */
  reset(): void;
  close(): Promise<void>;
}

export async function startScriptedProviders(
  options: ScriptedProvidersOptions = {},
): Promise<ScriptedProviders> {
  const keep = options.keepRequests ?? KEEP_REQUESTS;
  const chat: ChatScript = new EndpointScript(chatBehaviourSchema, { kind: 'answer' }, keep);
  const embeddings: EmbeddingsScript = new EndpointScript(
    embeddingsBehaviourSchema,
    { kind: 'vectors' },
    keep,
  );
  const rerank: RerankScript = new EndpointScript(rerankBehaviourSchema, { kind: 'ranking' }, keep);
  const { origin, close } = await listen(options.port ?? 0, routeBy({ chat, embeddings, rerank }, options));
  return {
    openaiBaseUrl: `${origin}/v1`,
    geminiBaseUrl: `${origin}/v1beta/openai`,
    cohereBaseUrl: `${origin}/cohere`,
    chat,
    embeddings,
    rerank,
    reset() {
      chat.reset();
      embeddings.reset();
      rerank.reset();
    },
    close,
  };
}
