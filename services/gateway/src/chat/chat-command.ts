import { randomUUID } from 'node:crypto';
import {
  chatRequestBodySchema,
  MESSAGE_MAX_CHARACTERS,
  questionProblem,
  type ChatRequest,
  type ChatRequestBody,
} from '@quire/shared/contracts';
import { InvalidInput, type ErrorCode, type ErrorDetail } from '@quire/shared/errors';
import type { z } from 'zod';

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

const wordings: Record<string, { code: ErrorCode; problem: string }> = {
  [questionProblem.empty]: { code: 'EMPTY_QUERY', problem: 'must not be empty' },
  [questionProblem.tooLong]: {
    code: 'QUERY_TOO_LONG',
    problem: `must not exceed ${MESSAGE_MAX_CHARACTERS} characters`,
  },
};

/** One kind of problem gets its own code; several kinds are an INVALID_REQUEST that lists them all. */
function describeProblems(issues: readonly z.core.$ZodIssue[]): InvalidInput {
  const codes = new Set<ErrorCode>();
  const details: ErrorDetail[] = [];
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      codes.add('INVALID_REQUEST');
      for (const key of issue.keys)
        details.push({ path: [...issue.path, key].join('.'), problem: 'is not known' });
      continue;
    }
    const path = issue.path.join('.');
    const wording = wordings[issue.message];
    codes.add(wording?.code ?? (path === 'session_id' ? 'INVALID_SESSION_ID' : 'INVALID_REQUEST'));
    details.push({ path, problem: wording?.problem ?? issue.message });
  }
  const [only] = codes;
  const code = codes.size === 1 && only ? only : 'INVALID_REQUEST';
  const message = details.map(({ path, problem }) => (path ? `${path} ${problem}` : problem)).join('; ');
  return new InvalidInput(code, message, { details });
}
