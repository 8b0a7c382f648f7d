/** How much a new run counts: about the last ten are what is known of the present. */
const WEIGHT_OF_NEW = 0.1;

/** How long a run takes of late that is worked on to its end, as a moving average. */
export class ServiceTime {
  private average: number | undefined;

  record(ms: number): void {
    this.average = this.average === undefined ? ms : this.average + WEIGHT_OF_NEW * (ms - this.average);
  }

  /** Null before the first run; never zero, which would promise the impossible. */
  get ms(): number | null {
    return this.average === undefined ? null : Math.max(1, Math.round(this.average));
  }
}
