/** With this weight the average reflects about the last ten runs. */
const WEIGHT_OF_NEW = 0.1;

/** Moving average of the execution time of runs that were executed to their end. */
export class ServiceTime {
  private average: number | undefined;

  record(ms: number): void {
    this.average = this.average === undefined ? ms : this.average + WEIGHT_OF_NEW * (ms - this.average);
  }

  /** Null before the first run; at least 1, because zero would promise unlimited throughput. */
  get ms(): number | null {
    return this.average === undefined ? null : Math.max(1, Math.round(this.average));
  }
}
