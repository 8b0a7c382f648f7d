import type { TokensUsed } from '@quire/shared/contracts';
import { z } from 'zod';

const dollarsPerMillion = z.number().min(0);

/** US dollars per million tokens, by model; `MODEL_PRICES` holds it as JSON. */
export const modelPricesSchema = z.record(
  z.string(),
  z.strictObject({ input: dollarsPerMillion, output: dollarsPerMillion }),
);
export type ModelPrices = z.infer<typeof modelPricesSchema>;

const MILLION = 1_000_000;
/** Costs are rounded to a millionth of a cent, which keeps sums over many cheap runs exact. */
const DIGITS = 100 * MILLION;

/** US dollars; undefined if the model has no price. */
export function costOf(
  model: string,
  { prompt, completion }: TokensUsed,
  prices: ModelPrices,
): number | undefined {
  const price = prices[model];
  if (!price) return undefined;
  return roundCost((prompt * price.input + completion * price.output) / MILLION);
}

export const roundCost = (dollars: number): number => Math.round(dollars * DIGITS) / DIGITS;
