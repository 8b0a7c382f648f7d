import type { EndpointScript } from '../behaviours/endpoint-script.js';
import type { Fault } from '../behaviours/fault.js';
import type { EmbeddingsBehaviour, ResolvedVectorsAnswer } from './embeddings-behaviour.js';
import type { EmbeddingsRequest } from './embeddings-request.js';

export type EmbeddingsScript = EndpointScript<
  EmbeddingsRequest,
  EmbeddingsBehaviour,
  ResolvedVectorsAnswer | Fault
>;
