/**
 * A number of callers who each take the next question as soon as the last one is answered. Answers how many questions
 * a second that made.
 */
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
