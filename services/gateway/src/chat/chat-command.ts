import { randomUUID } from 'node:crypto';
import { chatRequestBodySchema, type ChatRequest, type ChatRequestBody } from '@quire/shared/contracts';
import { InvalidInput } from '@quire/shared/errors';
import { describeProblems } from '../http/describe-problems.js';

export type AnswerForm = 'json' | 'sse' | 'async';

export interface ChatCommand {
  request: ChatRequest;
  form: AnswerForm;
}

export interface Negotiation {
  /** Set where the route allows one form only. */
  fixedForm?: 'json' | 'sse';
  accept: string | undefined;
  prefer: string | undefined;
}

/** Turns an untrusted body into a command, or throws with every problem listed. */
export function parseChatCommand(body: unknown, negotiation: Negotiation): ChatCommand {
  const parsed = chatRequestBodySchema.safeParse(body);
  if (!parsed.success) throw describeProblems(parsed.error.issues);
  const { fixedForm } = negotiation;
  if (fixedForm && parsed.data.stream !== undefined && parsed.data.stream !== (fixedForm === 'sse')) {
    const problem = `this address always answers as ${fixedForm === 'sse' ? 'a stream' : 'JSON'}`;
    throw new InvalidInput('INVALID_REQUEST', problem, { details: [{ path: 'stream', problem }] });
  }
  return { request: toRequest(parsed.data), form: chooseForm(parsed.data, negotiation) };
}

function chooseForm(body: ChatRequestBody, { fixedForm, accept, prefer }: Negotiation): AnswerForm {
  if (fixedForm === 'sse') return 'sse';
  if (/(^|,)\s*respond-async\s*($|[,;])/i.test(prefer ?? '')) return 'async';
  if (fixedForm) return fixedForm;
  if (body.stream !== undefined) return body.stream ? 'sse' : 'json';
  return accept?.toLowerCase().includes('text/event-stream') ? 'sse' : 'json';
}

function toRequest({ query, stream: _stream, session_id, ...rest }: ChatRequestBody): ChatRequest {
  return { ...rest, message: rest.message ?? query ?? '', session_id: session_id ?? randomUUID() };
}
