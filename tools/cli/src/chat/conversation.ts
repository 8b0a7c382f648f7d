import { randomUUID } from 'node:crypto';
import { sessionIdSchema, type ChatResponse, type ThreadSummary } from '@quire/shared/contracts';

/** The state of a chat: its thread, its last answer, the threads that were listed. */
export class Conversation {
  lastAnswer: ChatResponse | undefined;
  listed: readonly ThreadSummary[] = [];
  private thread: string;

  constructor(session: string = randomUUID()) {
    this.thread = session;
  }

  get sessionId(): string {
    return this.thread;
  }

  begin(session: string = randomUUID()): void {
    this.thread = session;
    this.lastAnswer = undefined;
  }

  /** The thread with this number in the last list, or with this id. */
  find(reference: string): string | undefined {
    if (/^\d{1,4}$/.test(reference)) return this.listed[Number(reference) - 1]?.session_id;
    const id = sessionIdSchema.safeParse(reference);
    return id.success ? id.data : undefined;
  }
}
