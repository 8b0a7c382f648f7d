import { z } from 'zod';
import { confidenceLevelSchema } from './confidence.contract.js';

const share = z.number().min(0).max(1);

const strongestFirst = ['high', 'medium', 'low'] as const;
const answerableLevelSchema = confidenceLevelSchema.extract(strongestFirst);

/**
 * What must hold for a level: a score (the average similarity, that of the best passage, how well the words are met,
 * or the mean of the last two) and a number of passages.
 */
export const levelRuleSchema = z.strictObject({
  level: answerableLevelSchema,
  measure: z.enum(['average', 'best', 'lexical', 'evidence']),
  atLeast: share,
  chunks: z.int().min(1),
});
export type LevelRule = z.infer<typeof levelRuleSchema>;

/** Cut points as data, since similarity scales differ from embedder to embedder. */
export const confidencePresetSchema = z.strictObject({
  /** Passages below it are left out unless the caller sets a threshold. */
  similarityThreshold: share,
  /** The first rule that holds decides; if none does, the level is `insufficient`. */
  levels: z
    .array(levelRuleSchema)
    .min(1)
    .refine((rules) => rules.every((rule, i) => isWeaker(rule, rules[i - 1])), {
      error: `must come strongest first (${strongestFirst.join(', ')}), each level at most once`,
    })
    .readonly(),
  /** What `quire calibrate` notes about a preset it has made. */
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
