import type { IncomingHttpHeaders } from 'node:http';

export interface RecordedRequest<Request> {
  path: string;
  headers: IncomingHttpHeaders;
  body: Request;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** True once the client has closed the connection before the answer ended. */
  aborted: boolean;
  /** When that was seen, in milliseconds since the epoch. */
  abortedAt?: number;
}

/** A behaviour, or how to choose one from the request. A promise holds the answer back until it settles. */
export type Scripted<Request, Behaviour> = Behaviour | ((request: Request) => Behaviour | Promise<Behaviour>);

/** What one kind of endpoint does, request by request, and what it has been asked. */
export interface Script<Request, Behaviour> {
  /** Each behaviour serves one accepted request, in order. */
  enqueue(...behaviours: Array<Scripted<Request, Behaviour>>): void;
  /** Serves every request that finds the queue empty. */
  byDefault(behaviour: Scripted<Request, Behaviour>): void;
  /** How many enqueued behaviours are still waiting for a request. */
  readonly queued: number;
  readonly requests: ReadonlyArray<RecordedRequest<Request>>;
  /** Clears the queue and the recorded requests; the default behaviour stays. */
  reset(): void;
}
