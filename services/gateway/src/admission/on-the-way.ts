/** A tenant's questions between being let in and being in the line. */
interface Way {
  letIn: number;
  arrived: number;
  /** Looks under way, for which the numbers are kept. */
  looks: number;
}

/** What a look at the line does not show. */
export interface Unseen {
  /** Questions of the tenant that were let in and were not in the line when the look began. */
  readonly count: number;
  /** Lets one more in; answers how to tell that it has arrived. */
  add(): () => void;
  /** The look is over. */
  release(): void;
}

/**
 * The questions that this gateway has let in and the line does not show yet: without them, all that come at the same
 * moment would see the same short line. One that arrives while somebody looks may be counted twice, never not at all.
 */
export class OnTheWay {
  private readonly ways = new Map<string, Way>();

  /** To be called before the look. */
  watch(tenant: string): Unseen {
    const way = this.ways.get(tenant) ?? { letIn: 0, arrived: 0, looks: 0 };
    this.ways.set(tenant, way);
    way.looks += 1;
    const arrivedBefore = way.arrived;
    const forgetIfIdle = () => {
      if (way.looks === 0 && way.letIn === way.arrived) this.ways.delete(tenant);
    };
    return {
      get count() {
        return way.letIn - arrivedBefore;
      },
      add() {
        way.letIn += 1;
        return () => {
          way.arrived += 1;
          forgetIfIdle();
        };
      },
      release() {
        way.looks -= 1;
        forgetIfIdle();
      },
    };
  }
}
