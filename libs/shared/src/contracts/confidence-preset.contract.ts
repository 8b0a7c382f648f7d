import { z } from 'zod';
import { confidenceLevelSchema } from './confidence.contract.js';

const share = z.number().min(0).max(1);

const strongestFirst = ['high', 'medium', 'low'] as const;
const answerableLevelSchema = confidenceLevelSchema.extract(strongestFirst);

/**
 * The condition of a level: a minimum of a measure (the average similarity, the best similarity, the share of the
 * question's words, or the mean of the last two) and of the number of passages.
 */
export const levelRuleSchema = z.strictObject({
  level: answerableLevelSchema,
  measure: z.enum(['average', 'best', 'lexical', 'evidence']),
  atLeast: share,
  chunks: z.int().min(1),
});
export type LevelRule = z.infer<typeof levelRuleSchema>;

/** Cut points for one embedder, since similarity scales differ. */
export const confidencePresetSchema = z.strictObject({
  /** The default threshold: passages below it are not returned. */
  similarityThreshold: share,
  /** The first rule that holds gives the level; without one it is `insufficient`. */
  levels: z
    .array(levelRuleSchema)
    .min(1)
    .refine((rules) => rules.every((rule, i) => isWeaker(rule, rules[i - 1])), {
      error: `must come strongest first (${strongestFirst.join(', ')}), each level at most once`,
    })
    .readonly(),
  /** How `quire calibrate` made the preset. */
  fitted: z
    .strictObject({
      embedder: z.string().min(1).optional(),
      questions: z.int().min(1),
      at: z.iso.datetime(),
      calibration_error: share,
    })
    .optional(),
});
export type ConfidencePreset = z.infer<typeof confidencePresetSchema>;

function isWeaker(rule: LevelRule, stronger: LevelRule | undefined): boolean {
  return !stronger || strongestFirst.indexOf(rule.level) > strongestFirst.indexOf(stronger.level);
}
