import { goldenQuestionSchema, type GoldenQuestion } from './golden-question.js';

export interface LineProblem {
  line: number;
  problem: string;
}

export interface ParsedGoldenFile {
  questions: GoldenQuestion[];
  problems: LineProblem[];
}

/** JSON Lines: one question per line; blank lines are allowed, comments are not. */
export function parseGoldenLines(text: string): ParsedGoldenFile {
  const questions: GoldenQuestion[] = [];
  const problems: LineProblem[] = [];
  const lineOfId = new Map<string, number>();
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    const parsed = parseLine(content);
    if (Array.isArray(parsed)) {
      problems.push(...parsed.map((problem) => ({ line, problem })));
      continue;
    }
    const earlier = lineOfId.get(parsed.id);
    if (earlier === undefined) lineOfId.set(parsed.id, line);
    else problems.push({ line, problem: `id: ${parsed.id} is taken by line ${earlier}` });
    questions.push(parsed);
  }
  return { questions, problems };
}

/** The question, or what is wrong with it. */
function parseLine(content: string): GoldenQuestion | string[] {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    return [`not JSON: ${(error as Error).message}`];
  }
  const parsed = goldenQuestionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
}
