import { z } from 'zod';
import { isExpectedSection } from './expected-section.js';

export const questionTypes = ['lexical', 'paraphrased', 'multi_section', 'out_of_scope'] as const;
export type QuestionType = (typeof questionTypes)[number];

const needsSchema = z.enum(['any', 'all']);
export type Needs = z.infer<typeof needsSchema>;

/** A question whose answer is known to be in certain sections of the book, or not to be in the book. */
export interface GoldenQuestion {
  id: string;
  type: QuestionType;
  question: string;
  /** Page paths or URLs, with the anchor of the section; empty for a question that the book does not answer. */
  expected: string[];
  /** Whether one of the expected sections holds the whole answer or each holds a part of it. */
  needs: Needs;
}

const expectedSchema = z
  .string()
  .refine(isExpectedSection, { error: 'must be a page path or URL, with or without #anchor' });

export const goldenQuestionSchema = z
  .strictObject({
    id: z.string().min(1),
    type: z.enum(questionTypes),
    question: z.string().trim().min(1),
    expected: z.array(expectedSchema).refine((sections) => new Set(sections).size === sections.length, {
      error: 'must not repeat a section',
    }),
    needs: needsSchema.optional(),
  })
  .superRefine(({ type, expected, needs }, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (type !== 'out_of_scope') {
      if (expected.length === 0) problem('expected', 'must name at least one section');
      return;
    }
    if (expected.length > 0) problem('expected', 'must be empty for an out_of_scope question');
    if (needs !== undefined) problem('needs', 'has no meaning for an out_of_scope question');
  })
  .transform(({ needs, ...question }): GoldenQuestion => ({
    ...question,
    needs: needs ?? (question.type === 'multi_section' ? 'all' : 'any'),
  }));

export const isInScope = ({ type }: Pick<GoldenQuestion, 'type'>): boolean => type !== 'out_of_scope';
