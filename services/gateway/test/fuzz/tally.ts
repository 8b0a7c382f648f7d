/** Counts the statuses of responses by group. */
export class Tally {
  private readonly counts: Record<string, Record<string, number>> = {};

  count(group: string, status: number): void {
    const counts = (this.counts[group] ??= {});
    counts[status] = (counts[status] ?? 0) + 1;
  }

  /** The expected statuses that were never counted, as `group: status`. */
  missing(expected: Record<string, readonly number[]>): string[] {
    return Object.entries(expected).flatMap(([group, statuses]) =>
      statuses.filter((status) => !this.counts[group]?.[status]).map((status) => `${group}: ${status}`),
    );
  }

  toString(): string {
    return Object.entries(this.counts)
      .map(([group, counts]) => `  ${group} ${JSON.stringify(counts)}`)
      .join('\n');
  }
}
