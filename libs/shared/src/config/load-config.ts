import type { z } from 'zod';

/** Lists every problem of the environment. */
export class InvalidConfiguration extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidConfiguration';
  }
}

/** Parses the environment once; a blank variable counts as unset, as in a `.env` file with `KEY=`. */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: Record<string, string | undefined> = process.env,
): Readonly<z.infer<Schema>> {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = schema.safeParse(set, { error: whatIsAllowed });
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'environment'}: ${issue.message}`,
    );
    throw new InvalidConfiguration([...new Set(problems)]);
  }
  return Object.freeze(parsed.data);
}

/** The default message of a problem; never quotes the value, which may be a secret. */
function whatIsAllowed(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'must be set';
  return undefined;
}
