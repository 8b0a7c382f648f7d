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

/** Without these bounds a small request could cause a large response. */
const MOST_PROBLEMS = 50;
const LONGEST_PATH = 100;

/** Returns the parsed value, or throws an error that lists every problem. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw describeProblems(parsed.error.issues);
  return parsed.data;
}

/** One kind of problem gets its own code; several kinds are an INVALID_REQUEST that lists them all. */
function describeProblems(issues: readonly z.core.$ZodIssue[]): InvalidInput {
  const codes = new Set<ErrorCode>();
  const found: ErrorDetail[] = [];
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      codes.add('INVALID_REQUEST');
      for (const key of issue.keys) {
        found.push({ path: pathOf([...issue.path, key]), problem: 'is not known' });
      }
      continue;
    }
    const path = pathOf(issue.path);
    const wording = wordings[issue.message];
    codes.add(wording?.code ?? (path === 'session_id' ? 'INVALID_SESSION_ID' : 'INVALID_REQUEST'));
    found.push({ path, problem: wording?.problem ?? issue.message });
  }
  const [only] = codes;
  const code = codes.size === 1 && only ? only : 'INVALID_REQUEST';
  const details = found.slice(0, MOST_PROBLEMS);
  const problems = details.map(({ path, problem }) => (path ? `${path} ${problem}` : problem));
  if (found.length > MOST_PROBLEMS) problems.push(`and ${found.length - MOST_PROBLEMS} more`);
  return new InvalidInput(code, problems.join('; '), { details });
}

function pathOf(parts: readonly PropertyKey[]): string {
  const path = parts.map(String).join('.');
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…`.toWellFormed() : path;
}
