/** A question that was admitted and is not in the queue yet. */
export interface PendingQuestion {
  /** To be called once the question is in the queue, or is refused. */
  end(): void;
}

/** What a check of the queue does not show. */
export interface QueueCheck {
  /** The tenant's questions that were admitted, but were not in the queue when the check began. */
  readonly pending: number;
  admit(): PendingQuestion;
  end(): void;
}

interface Counts {
  admitted: number;
  ended: number;
  /** Checks under way, for which the counts are kept. */
  checks: number;
}

/**
 * The questions that this gateway has admitted and the queue does not show yet: without them, all that arrive at the
 * same moment would see the same short queue. One that is enqueued during a check may be counted twice, never zero
 * times.
 */
export class PendingQuestions {
  private readonly byTenant = new Map<string, Counts>();

  /** To be called before the queue is read. */
  startCheck(tenant: string): QueueCheck {
    const counts = this.byTenant.get(tenant) ?? { admitted: 0, ended: 0, checks: 0 };
    this.byTenant.set(tenant, counts);
    counts.checks += 1;
    const endedBefore = counts.ended;
    const forgetIfIdle = () => {
      if (counts.checks === 0 && counts.admitted === counts.ended) this.byTenant.delete(tenant);
    };
    return {
      get pending() {
        return counts.admitted - endedBefore;
      },
      admit() {
        counts.admitted += 1;
        return {
          end() {
            counts.ended += 1;
            forgetIfIdle();
          },
        };
      },
      end() {
        counts.checks -= 1;
        forgetIfIdle();
      },
    };
  }
}
