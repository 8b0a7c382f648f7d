export interface Arms {
  baseline: (round: number) => Promise<number>;
  measured: (round: number) => Promise<number>;
}

/** Runs both arms once a round, each first in every other round, so that the order favours none. */
export async function alternate(
  rounds: number,
  { baseline, measured }: Arms,
): Promise<{ baseline: number[]; measured: number[] }> {
  const samples = { baseline: [] as number[], measured: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const runs = [
      async () => samples.baseline.push(await baseline(round)),
      async () => samples.measured.push(await measured(round)),
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  }
  return samples;
}
