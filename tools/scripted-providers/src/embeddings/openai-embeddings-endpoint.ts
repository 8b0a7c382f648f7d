import { z } from 'zod';
import { openAiProtocol } from '../protocols/openai-protocol.js';
import type { Endpoint } from '../server/endpoint.js';
import { sendJson } from '../server/send-json.js';
import { estimateTokens } from '../text/tokens.js';
import { composeVectors } from './compose-vectors.js';
import type { ResolvedVectorsAnswer } from './embeddings-behaviour.js';
import type { EmbeddingsRequest } from './embeddings-request.js';
import type { EmbeddingsScript } from './embeddings-script.js';
import { vectorEncodings } from './vector-encodings.js';

const MAX_INPUTS = 2_048;

const requestSchema = z
  .looseObject({
    model: z.string(),
    input: z.union([z.string(), z.array(z.string())]),
    dimensions: z.int().min(1).optional(),
    encoding_format: z.enum(['float', 'base64']).default('float'),
  })
  .transform((body): EmbeddingsRequest => ({
    protocol: 'openai',
    model: body.model,
    texts: typeof body.input === 'string' ? [body.input] : body.input,
    dimension: body.dimensions,
    encodings: [body.encoding_format],
    inputType: undefined,
    wireBody: body,
  }));

export function openAiEmbeddingsEndpoint(
  script: EmbeddingsScript,
): Endpoint<EmbeddingsRequest, ResolvedVectorsAnswer> {
  return {
    protocol: openAiProtocol,
    requestSchema,
    script,
    brokenLimit({ texts }) {
      if (texts.length > 0 && texts.length <= MAX_INPUTS && !texts.includes('')) return undefined;
      // OpenAI's message for all three: https://github.com/embeddings-benchmark/mteb/issues/1200
      return openAiProtocol.invalidBody(
        "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
      );
    },
    respond(exchange, request, answer) {
      const encode = request.encodings.includes('base64') ? vectorEncodings.base64 : vectorEncodings.float;
      const data = composeVectors(request, answer).map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: encode(vector),
      }));
      const tokens = request.texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      const usage = { prompt_tokens: tokens, total_tokens: tokens };
      return sendJson(
        exchange,
        JSON.stringify({ object: 'list', data, model: request.model, usage }),
        answer,
      );
    },
  };
}
