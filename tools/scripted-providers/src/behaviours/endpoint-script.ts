import type { z } from 'zod';
import type { RecordedRequest, Script, Scripted } from './script.js';

type Choose<Request, Behaviour> = (request: Request) => Behaviour | Promise<Behaviour>;

export class EndpointScript<Request, Input, Behaviour> implements Script<Request, Input> {
  readonly requests: Array<RecordedRequest<Request>> = [];
  private readonly queue: Array<Choose<Request, Behaviour>> = [];
  private fallback: Choose<Request, Behaviour>;

  constructor(
    private readonly schema: z.ZodType<Behaviour, Input>,
    initial: Input,
    private readonly keepRequests: number,
  ) {
    this.fallback = this.validated(initial);
  }

  get queued(): number {
    return this.queue.length;
  }

  enqueue(...behaviours: Array<Scripted<Request, Input>>): void {
    this.queue.push(...behaviours.map((behaviour) => this.validated(behaviour)));
  }

  byDefault(behaviour: Scripted<Request, Input>): void {
    this.fallback = this.validated(behaviour);
  }

  reset(): void {
    this.queue.length = 0;
    this.requests.length = 0;
  }

  record(request: RecordedRequest<Request>): void {
    this.requests.push(request);
    if (this.requests.length > this.keepRequests) this.requests.shift();
  }

  async next(request: Request): Promise<Behaviour> {
    return (this.queue.shift() ?? this.fallback)(request);
  }

  /** An invalid behaviour fails when it is enqueued, an invalid function result fails its request. */
  private validated(scripted: Scripted<Request, Input>): Choose<Request, Behaviour> {
    if (isChooser(scripted)) return async (request) => this.schema.parse(await scripted(request));
    const behaviour = this.schema.parse(scripted);
    return () => behaviour;
  }
}

function isChooser<Request, Input>(
  scripted: Scripted<Request, Input>,
): scripted is (request: Request) => Input | Promise<Input> {
  return typeof scripted === 'function';
}
