import { classifyError, DependencyUnavailable } from '@quire/shared/errors';
import type { RedisPulse } from '@quire/shared/redis';

/** Redis for requests that cannot do without it: they fail at once while it does not respond. */
export class RedisAccess {
  constructor(private readonly pulse: Pick<RedisPulse, 'isResponding'>) {}

  /** Throws QUEUE_UNAVAILABLE while Redis does not respond, so that no request waits for the time-out of a command. */
  require(): void {
    if (!this.pulse.isResponding) throw queueUnavailable();
  }

  /** Runs commands; their failures become QUEUE_UNAVAILABLE. */
  async run<T>(commands: () => Promise<T>): Promise<T> {
    this.require();
    return commands().catch((error: unknown) => {
      throw queueUnavailable(error);
    });
  }
}

/** Names the cause if it is a Redis error with a known one, such as a full disk. */
export function queueUnavailable(cause?: unknown): DependencyUnavailable {
  const { code, message, retryAfterSeconds } = classifyError(cause);
  if (code !== 'QUEUE_UNAVAILABLE' || retryAfterSeconds === undefined) {
    return new DependencyUnavailable('QUEUE_UNAVAILABLE', 'The queue is not reachable', { cause });
  }
  return new DependencyUnavailable('QUEUE_UNAVAILABLE', message, { cause, retryAfterSeconds });
}
