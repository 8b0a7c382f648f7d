import { randomUUID } from 'node:crypto';
import type { EndpointScript } from '../behaviours/endpoint-script.js';
import type { Fault } from '../behaviours/fault.js';
import { cohereProtocol } from '../protocols/cohere-protocol.js';
import type { Endpoint } from '../server/endpoint.js';
import { sendJson } from '../server/send-json.js';
import { rankDocuments } from './rank-documents.js';
import type { RerankBehaviour, ResolvedRankingAnswer } from './rerank-behaviour.js';
import { type RerankRequest, rerankRequestSchema } from './rerank-request.js';

const DOCUMENTS_PER_SEARCH_UNIT = 100;

export type RerankScript = EndpointScript<RerankRequest, RerankBehaviour, ResolvedRankingAnswer | Fault>;

export function cohereRerankEndpoint(script: RerankScript): Endpoint<RerankRequest, ResolvedRankingAnswer> {
  return {
    protocol: cohereProtocol,
    requestSchema: rerankRequestSchema,
    script,
    brokenLimit({ documents }) {
      return documents.length > 0
        ? undefined
        : cohereProtocol.invalidBody('list of documents must not be empty');
    },
    respond(exchange, request, answer) {
      const searchUnits = Math.ceil(request.documents.length / DOCUMENTS_PER_SEARCH_UNIT);
      const body = {
        id: randomUUID(),
        results: rankDocuments(request, answer),
        meta: { api_version: { version: '2' }, billed_units: { search_units: searchUnits } },
      };
      return sendJson(exchange, JSON.stringify(body), answer);
    },
  };
}
