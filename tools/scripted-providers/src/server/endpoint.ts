import type { z } from 'zod';
import type { ErrorBehaviour, Fault } from '../behaviours/fault.js';
import type { RecordedRequest } from '../behaviours/script.js';
import type { Protocol } from '../protocols/protocol.js';
import type { Exchange } from './exchange.js';

/** One endpoint: how its request is parsed, its limits, and how a scripted response is sent. */
export interface Endpoint<Request extends { model: string }, Answer extends { kind: string }> {
  protocol: Protocol;
  requestSchema: z.ZodType<Request>;
  script: {
    record(request: RecordedRequest<Request>): void;
    next(request: Request): Promise<Answer | Fault>;
  };
  /** The provider's own limits, checked before any behaviour is consumed. */
  brokenLimit: (request: Request) => ErrorBehaviour | undefined;
  respond: (exchange: Exchange, request: Request, answer: Answer) => Promise<void>;
}

export interface Access {
  /** When given, any other bearer token gets a 401. */
  requireApiKey?: string | undefined;
  /** When given, any other model gets a 404. */
  knownModels?: readonly string[] | undefined;
}
