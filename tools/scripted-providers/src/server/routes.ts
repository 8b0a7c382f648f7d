import { type ChatScript, chatEndpoint } from '../chat/chat-endpoint.js';
import { cohereEmbedEndpoint } from '../embeddings/cohere-embed-endpoint.js';
import type { EmbeddingsScript } from '../embeddings/embeddings-script.js';
import { openAiEmbeddingsEndpoint } from '../embeddings/openai-embeddings-endpoint.js';
import { cohereProtocol } from '../protocols/cohere-protocol.js';
import { openAiProtocol } from '../protocols/openai-protocol.js';
import { cohereRerankEndpoint, type RerankScript } from '../rerank/cohere-rerank-endpoint.js';
import type { Access, Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { sendError } from './send-json.js';
import { serveEndpoint } from './serve-endpoint.js';

type Serve = (exchange: Exchange) => Promise<void>;

export interface Scripts {
  chat: ChatScript;
  embeddings: EmbeddingsScript;
  rerank: RerankScript;
}

/** OpenAI's prefix and Gemini's prefix for the same protocol. */
const OPENAI_PREFIXES = ['/v1', '/v1beta/openai'];
const COHERE_PREFIXES = ['/cohere/v2', '/v2'];

export function routeBy(scripts: Scripts, access: Access): Serve {
  const routes = new Map<string, Serve>();
  const add = <Request extends { model: string }, Answer extends { kind: string }>(
    prefixes: string[],
    path: string,
    endpoint: Endpoint<Request, Answer>,
  ): void => {
    const serve: Serve = (exchange) => serveEndpoint(endpoint, access, exchange);
    for (const prefix of prefixes) routes.set(`POST ${prefix}${path}`, serve);
  };
  add(OPENAI_PREFIXES, '/chat/completions', chatEndpoint(scripts.chat));
  add(OPENAI_PREFIXES, '/embeddings', openAiEmbeddingsEndpoint(scripts.embeddings));
  add(COHERE_PREFIXES, '/embed', cohereEmbedEndpoint(scripts.embeddings));
  add(COHERE_PREFIXES, '/rerank', cohereRerankEndpoint(scripts.rerank));

  return async (exchange) => {
    const { method = '', url = '' } = exchange.request;
    const [path = ''] = url.split('?', 1);
    const serve = routes.get(`${method} ${path}`);
    if (serve !== undefined) return serve(exchange);
    const protocol = COHERE_PREFIXES.some((prefix) => path.startsWith(prefix))
      ? cohereProtocol
      : openAiProtocol;
    return sendError(exchange, protocol, protocol.unknownPath(method, path));
  };
}
