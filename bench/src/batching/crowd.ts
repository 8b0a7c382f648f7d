/** Runs callers that each ask the next question after their last answer; returns the questions per second. */
export async function crowdThroughput(
  callers: number,
  questions: readonly string[],
  ask: (question: string) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const waiting = questions.values();
  const callInTurn = async () => {
    for (const question of waiting) await ask(question);
  };
  await Promise.all(Array.from({ length: callers }, callInTurn));
  return (questions.length / (performance.now() - startedAt)) * 1000;
}
