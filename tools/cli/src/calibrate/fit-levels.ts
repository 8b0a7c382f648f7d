import type { LevelRule } from '@quire/shared/contracts';
import { largestCutKeeping, smallestCutAdmitting } from './cut-points.js';
import { levelOf, measures, scoreOf, type Measure, type Observation } from './observation.js';

const ANSWERABLE_KEPT = 0.95;
const STRAY_AT_MEDIUM = 0.05;

/**
 * `low` is the highest cut that 95 % of the in-scope questions reach, by the measure that then refuses more of the
 * others. `medium` is where at most 5 % of the others remain. `high` is where none of them remains, but no lower than
 * the better half of the in-scope questions, and needs two passages.
 */
export function fitLevels(observations: readonly Observation[]): LevelRule[] {
  const { measure, atLeast: low } = lowestRule(observations);
  const scores = (inScope: boolean) =>
    observations.filter((each) => each.inScope === inScope).map((each) => scoreOf(measure, each));
  const [inside, outside] = [scores(true), scores(false)];
  const medium = smallestCutAdmitting(STRAY_AT_MEDIUM, outside, low);
  const high = Math.max(smallestCutAdmitting(0, outside, medium), largestCutKeeping(0.5, inside));
  const rules: LevelRule[] = [
    { level: 'high', measure, atLeast: high, chunks: 2 },
    { level: 'medium', measure, atLeast: medium, chunks: 1 },
    { level: 'low', measure, atLeast: low, chunks: 1 },
  ];
  return rules.filter(
    (rule, i) => rule.atLeast <= 1 && !rules.slice(0, i).some((other) => covers(other, rule)),
  );
}

/** Of measures that refuse as many questions, the preferred one is chosen. */
function lowestRule(observations: readonly Observation[]): LevelRule {
  const refused = (rule: LevelRule) =>
    observations.filter((each) => !each.inScope && levelOf(each, { levels: [rule] }) === 'insufficient')
      .length;
  return measures
    .map((measure) => lowRule(measure, observations))
    .reduce((chosen, rule) => (refused(rule) > refused(chosen) ? rule : chosen));
}

function lowRule(measure: Measure, observations: readonly Observation[]): LevelRule {
  const inside = observations.filter(({ inScope }) => inScope).map((each) => scoreOf(measure, each));
  return {
    level: 'low',
    measure,
    atLeast: Math.min(1, largestCutKeeping(ANSWERABLE_KEPT, inside)),
    chunks: 1,
  };
}

/** The stronger rule holds whenever the weaker one does, so the weaker never decides. */
const covers = (stronger: LevelRule, weaker: LevelRule): boolean =>
  stronger.atLeast <= weaker.atLeast && stronger.chunks <= weaker.chunks;
