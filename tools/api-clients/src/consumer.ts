/** The responses that a program in `consumers/` received from a gateway through its client. */
export interface Seen {
  answer: string | null;
  session: string;
  results: number;
  threads: string[];
  messages: string[];
  refusal: { status: number; error_code: string };
  /** The text of the `delta` events, and the answer of `completed`. */
  streamed: { text: string; answer: string | null };
}

/** Asks, searches, reads its thread, is refused and streams. */
export interface Consumer {
  use(baseUrl: string, session: string, question: string): Promise<Seen>;
}
