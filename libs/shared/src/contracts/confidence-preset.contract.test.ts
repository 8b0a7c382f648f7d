import { expect, it } from 'vitest';
import { confidencePresetSchema } from './confidence-preset.contract.js';

const rule = (level: string, changes = {}) => ({
  level,
  measure: 'best',
  atLeast: 0.4,
  chunks: 1,
  ...changes,
});
const preset = (changes = {}) => ({
  similarityThreshold: 0.2,
  levels: [rule('high'), rule('low')],
  ...changes,
});
const accepts = (value: unknown) => confidencePresetSchema.safeParse(value).success;

it.each([
  ['one level', preset({ levels: [rule('low')] })],
  ['three levels', preset({ levels: [rule('high'), rule('medium'), rule('low')] })],
  ['both measures', preset({ levels: [rule('high', { measure: 'average' }), rule('low')] })],
  [
    'a note on how it was fitted',
    preset({ fitted: { questions: 110, at: '2026-01-02T03:04:05.678Z', calibration_error: 0.07 } }),
  ],
])('a confidence preset with %s is valid', (_, value) => {
  expect(confidencePresetSchema.parse(value)).toEqual(value);
});

it.each([
  ['no level', preset({ levels: [] })],
  ['a level twice', preset({ levels: [rule('high'), rule('high')] })],
  ['a stronger level after a weaker one', preset({ levels: [rule('low'), rule('high')] })],
  ['a rule for insufficient', preset({ levels: [rule('insufficient')] })],
  ['a cut beyond 1', preset({ levels: [rule('high', { atLeast: 1.01 })] })],
  ['a level that no passage is needed for', preset({ levels: [rule('high', { chunks: 0 })] })],
  ['half a passage', preset({ levels: [rule('high', { chunks: 1.5 })] })],
  ['an unknown measure', preset({ levels: [rule('high', { measure: 'worst' })] })],
  ['a negative threshold', preset({ similarityThreshold: -0.1 })],
  ['a misspelt field', preset({ similarity_threshold: 0.2 })],
])('a confidence preset with %s is invalid', (_, value) => {
  expect(accepts(value)).toBe(false);
});
