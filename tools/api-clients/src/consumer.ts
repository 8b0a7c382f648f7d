/** What a program in `consumers/` has got from a gateway through its client. */
export interface Seen {
  answer: string | null;
  session: string;
  results: number;
  threads: string[];
  messages: string[];
  refusal: { status: number; error_code: string };
  /** The text that came as `delta` events, and the answer that came as `completed`. */
  streamed: { text: string; answer: string | null };
}

/** A program that asks, searches, reads its thread, is refused and streams. */
export interface Consumer {
  use(baseUrl: string, session: string, question: string): Promise<Seen>;
}
