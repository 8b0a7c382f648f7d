import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { cohereProtocol } from '../protocols/cohere-protocol.js';
import type { Endpoint } from '../server/endpoint.js';
import { sendJson } from '../server/send-json.js';
import { estimateTokens } from '../text/tokens.js';
import { composeVectors } from './compose-vectors.js';
import type { ResolvedVectorsAnswer } from './embeddings-behaviour.js';
import type { EmbeddingsRequest } from './embeddings-request.js';
import type { EmbeddingsScript } from './embeddings-script.js';
import { type VectorEncoding, vectorEncodings } from './vector-encodings.js';

const MAX_TEXTS = 96;
const INPUT_TYPES = new Set(['search_document', 'search_query', 'classification', 'clustering', 'image']);
const ENCODINGS = Object.keys(vectorEncodings) as VectorEncoding[];

const requestSchema = z
  .looseObject({
    model: z.string(),
    texts: z.array(z.string()).default([]),
    input_type: z.string().optional(),
    embedding_types: z.array(z.enum(ENCODINGS)).default(['float']),
    output_dimension: z.int().min(1).optional(),
  })
  .transform((body): CohereEmbedRequest => ({
    protocol: 'cohere',
    model: body.model,
    texts: body.texts,
    dimension: body.output_dimension,
    encodings: body.embedding_types,
    inputType: body.input_type,
    wireBody: body,
  }));

interface CohereEmbedRequest extends EmbeddingsRequest {
  encodings: VectorEncoding[];
}

export function cohereEmbedEndpoint(
  script: EmbeddingsScript,
): Endpoint<CohereEmbedRequest, ResolvedVectorsAnswer> {
  return {
    protocol: cohereProtocol,
    requestSchema,
    script,
    brokenLimit(request) {
      const reason = brokenRule(request);
      return reason === undefined ? undefined : cohereProtocol.invalidBody(reason);
    },
    respond(exchange, request, answer) {
      const vectors = composeVectors(request, answer);
      const embeddings = Object.fromEntries(
        request.encodings.map((encoding) => [
          encoding,
          vectors.map((vector) => vectorEncodings[encoding](vector)),
        ]),
      );
      const tokens = request.texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      const body = {
        id: randomUUID(),
        embeddings,
        texts: request.texts,
        meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokens } },
        response_type: 'embeddings_by_type',
      };
      return sendJson(exchange, JSON.stringify(body), answer);
    },
  };
}

function brokenRule({ model, texts, inputType }: CohereEmbedRequest): string | undefined {
  if (texts.length === 0) return 'at least one text must be provided';
  // Both wordings as users report them: RAGTune issue 2 and cohere-python issue 614.
  if (texts.length > MAX_TEXTS) {
    return `total number of texts must be at most ${MAX_TEXTS} - received ${texts.length}`;
  }
  const needsInputType = !model.endsWith('-v2.0');
  if (needsInputType && !INPUT_TYPES.has(inputType ?? '')) {
    return 'valid input_type must be provided with the provided model';
  }
  return undefined;
}
