import type { IncomingHttpHeaders } from 'node:http';

export interface RecordedRequest<Request> {
  path: string;
  headers: IncomingHttpHeaders;
  body: Request;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** True once the client has closed the connection before the response ended. */
  aborted: boolean;
  /** When the server saw that, in milliseconds since the epoch. */
  abortedAt?: number;
}

/** A behaviour, or a function that chooses one for a request. The response waits for a promise. */
export type Scripted<Request, Behaviour> = Behaviour | ((request: Request) => Behaviour | Promise<Behaviour>);

/** The behaviours of one kind of endpoint, and its recorded requests. */
export interface Script<Request, Behaviour> {
  /** Each behaviour serves one accepted request, in order. */
  enqueue(...behaviours: Array<Scripted<Request, Behaviour>>): void;
  /** Serves every request that finds the queue empty. */
  byDefault(behaviour: Scripted<Request, Behaviour>): void;
  /** How many enqueued behaviours wait for a request. */
  readonly queued: number;
  readonly requests: ReadonlyArray<RecordedRequest<Request>>;
  /** Clears the queue and the recorded requests; the default behaviour stays. */
  reset(): void;
}
