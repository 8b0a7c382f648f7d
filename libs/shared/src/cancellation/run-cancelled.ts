/** The reason of a signal that fires because its run is cancelled. */
export class RunCancelled extends Error {
  constructor(readonly runId: string) {
    super('The run was cancelled');
    this.name = 'RunCancelled';
  }
}
