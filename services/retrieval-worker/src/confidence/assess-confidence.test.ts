import { expect, it } from 'vitest';
import { assessConfidence, assessWithoutVector } from './assess-confidence.js';
import { confidencePresets, type PresetName } from './presets.js';

const passages = (...similarities: number[]) =>
  similarities.map((similarity) => ({ similarity, direction: () => [1, 0] }));
const levelOf = (preset: PresetName, similarities: number[]) =>
  assessConfidence(passages(...similarities), 0, confidencePresets[preset]).confidence_level;

it.each<[PresetName, number[], string]>([
  ['strict', [0.85, 0.85, 0.85, 0.85, 0.85], 'high'],
  ['strict', [0.9, 0.9, 0.9, 0.9], 'medium'],
  ['strict', [0.84, 0.84, 0.84, 0.84, 0.84], 'medium'],
  ['strict', [0.75, 0.75, 0.75], 'medium'],
  ['strict', [0.95, 0.95], 'low'],
  ['strict', [0.74, 0.74, 0.74, 0.74, 0.74], 'low'],
  ['strict', [0.6, 0.6], 'low'],
  ['strict', [0.59, 0.59, 0.59, 0.59, 0.59], 'insufficient'],
  ['strict', [0.99], 'insufficient'],
  ['tiered', [0.5, 0.3], 'high'],
  ['tiered', [0.49, 0.49, 0.49], 'low'],
  ['tiered', [0.3], 'low'],
  ['tiered', [0.29], 'insufficient'],
  ['lenient', [0.3, 0.1], 'high'],
  ['lenient', [0.29, 0.29], 'insufficient'],
  ['text-embedding-3', [0.5, 0.3], 'high'],
  ['text-embedding-3', [0.6], 'medium'],
  ['text-embedding-3', [0.4], 'medium'],
  ['text-embedding-3', [0.39, 0.39], 'low'],
  ['text-embedding-3', [0.3], 'low'],
  ['text-embedding-3', [0.29, 0.29, 0.29], 'insufficient'],
  ['cohere', [0.5, 0.3], 'high'],
  ['cohere', [0.44], 'medium'],
  ['cohere', [0.32], 'low'],
  ['cohere', [0.29, 0.29, 0.29], 'insufficient'],
  ['words', [0.99, 0.99, 0.99], 'insufficient'],
])('the preset %s gives the similarities %j the level %s', (preset, similarities, level) => {
  expect(levelOf(preset, similarities)).toBe(level);
});

it.each(Object.keys(confidencePresets) as PresetName[])(
  'the preset %s gives no passages the level insufficient',
  (preset) => {
    expect(levelOf(preset, [])).toBe('insufficient');
  },
);

it.each([
  [2, 0.6, 0.8, 'high'],
  [1, 0.6, 0.8, 'medium'],
  [2, 0.4, 0.9, 'medium'],
  [1, 0.3, 0.6, 'low'],
  [5, 0.3, 0.5, 'insufficient'],
  [5, 0.8, 0, 'insufficient'],
  [0, 0, 1, 'insufficient'],
])(
  'the preset local gives %i passages of similarity %f that hold %f of the words the level %s',
  (count, similarity, words, level) => {
    const found = passages(...Array.from({ length: count }, () => similarity));
    expect(assessConfidence(found, words, confidencePresets.local).confidence_level).toBe(level);
  },
);

it.each([
  [2, 0.75, 'high'],
  [1, 0.75, 'medium'],
  [1, 0.64, 'low'],
  [5, 0.54, 'insufficient'],
])(
  'the preset words gives %i passages that hold %f of the words the level %s, whatever their cosine',
  (count, words, level) => {
    for (const similarity of [0.1, 0.9]) {
      const found = passages(...Array.from({ length: count }, () => similarity));
      expect(assessConfidence(found, words, confidencePresets.words).confidence_level).toBe(level);
    }
  },
);

it('only an insufficient level forbids an answer', () => {
  const shouldAnswer = (...similarities: number[]) =>
    assessConfidence(passages(...similarities), 0, confidencePresets.tiered).should_answer;
  expect([shouldAnswer(0.6), shouldAnswer(0.4), shouldAnswer(0.2), shouldAnswer()]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('average, extremes and count are those of the passages', () => {
  const metrics = assessConfidence(passages(0.9, 0.6, 0.3), 0.4, confidencePresets.lenient);
  expect(metrics).toMatchObject({
    max_similarity: 0.9,
    min_similarity: 0.3,
    lexical_score: 0.4,
    num_chunks: 3,
  });
  expect(metrics.average_similarity).toBeCloseTo(0.6);
});

it('the metrics of no passages are zeros', () => {
  expect(assessConfidence([], 0, confidencePresets.strict)).toMatchObject({
    average_similarity: 0,
    min_similarity: 0,
    max_similarity: 0,
    num_chunks: 0,
    chunk_diversity: 0,
  });
});

it('without a vector the level of any passages is low', () => {
  expect(assessWithoutVector(passages(0, 0), 0.7)).toMatchObject({
    confidence_level: 'low',
    should_answer: true,
    num_chunks: 2,
    average_similarity: 0,
  });
  expect(assessWithoutVector([], 0)).toMatchObject({
    confidence_level: 'insufficient',
    should_answer: false,
  });
});
