import { createHash, randomUUID } from 'node:crypto';
import type { ChatRequest, ChatRequestBody } from '@quire/shared/contracts';
import type { IdempotencyClaim } from '@quire/shared/database';
import { InvalidInput } from '@quire/shared/errors';

export type ResponseForm = 'json' | 'sse' | 'async';

export interface ChatCommand {
  request: ChatRequest;
  form: ResponseForm;
  idempotency: IdempotencyClaim | undefined;
}

export interface Negotiation {
  /** Set if the route allows one form only. */
  fixedForm?: 'json' | 'sse' | undefined;
  accept: string | undefined;
  prefer: string | undefined;
  idempotencyKey?: string | undefined;
}

export function chatCommand(body: ChatRequestBody, negotiation: Negotiation): ChatCommand {
  const { fixedForm } = negotiation;
  if (fixedForm && body.stream !== undefined && body.stream !== (fixedForm === 'sse')) {
    const problem = `this address always responds with ${fixedForm === 'sse' ? 'a stream' : 'JSON'}`;
    throw new InvalidInput('INVALID_REQUEST', problem, { details: [{ path: 'stream', problem }] });
  }
  const form = chooseForm(body, negotiation);
  return { request: toRequest(body, form), form, idempotency: claimFor(body, negotiation.idempotencyKey) };
}

/** `stream` is not part of the hash: a run that was first asked for as JSON may be replayed as a stream. */
function claimFor(body: ChatRequestBody, key: string | undefined): IdempotencyClaim | undefined {
  if (key === undefined) return undefined;
  const { stream: _stream, ...asked } = body;
  return { key, bodyHash: createHash('sha256').update(JSON.stringify(asked)).digest('hex') };
}

function chooseForm(body: ChatRequestBody, { fixedForm, accept, prefer }: Negotiation): ResponseForm {
  if (fixedForm === 'sse') return 'sse';
  if (/(^|,)\s*respond-async\s*($|[,;])/i.test(prefer ?? '')) return 'async';
  if (fixedForm) return fixedForm;
  if (body.stream !== undefined) return body.stream ? 'sse' : 'json';
  return accept?.toLowerCase().includes('text/event-stream') ? 'sse' : 'json';
}

function toRequest(
  { query, stream: _stream, session_id, on_disconnect, ...rest }: ChatRequestBody,
  form: ResponseForm,
): ChatRequest {
  return {
    ...rest,
    message: rest.message ?? query ?? '',
    session_id: session_id ?? randomUUID(),
    // A stream can be resumed, and `respond-async` polled for; a plain JSON response cannot be fetched later.
    on_disconnect: on_disconnect ?? (form === 'json' ? 'cancel' : 'continue'),
  };
}
