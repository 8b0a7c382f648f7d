/** A run whose job stalled, as another worker logged it. */
export interface StalledRun {
  runId: string;
  /** Epoch milliseconds. */
  foundAt: number;
}

/** The run of a line in an agent worker's log with this message. */
export function stalledRunIn(line: string): string | undefined {
  if (!line.includes('"message":"Job stalled')) return undefined;
  const { queue, job_id: runId } = JSON.parse(line) as { queue: string; job_id: string };
  return queue === 'chat' ? runId : undefined;
}
