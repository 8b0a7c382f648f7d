import { QUESTION_MAX_CHARACTERS, questionProblem } from '@quire/shared/contracts';
import { InvalidInput, type ErrorCode, type ErrorDetail } from '@quire/shared/errors';
import type { z } from 'zod';

const wordings: Record<string, { code: ErrorCode; problem: string }> = {
  [questionProblem.empty]: { code: 'EMPTY_QUERY', problem: 'must not be empty' },
  [questionProblem.tooLong]: {
    code: 'QUERY_TOO_LONG',
    problem: `must not exceed ${QUESTION_MAX_CHARACTERS} characters`,
  },
};

/** One kind of problem gets its own code; several kinds are an INVALID_REQUEST that lists them all. */
export function describeProblems(issues: readonly z.core.$ZodIssue[]): InvalidInput {
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
