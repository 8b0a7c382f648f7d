import { randomUUID } from 'node:crypto';
import type { JobQueue } from '@quire/shared/jobs';
import { readPage } from './read-page.js';

export interface Book {
  folder: string;
  baseUrl: string;
}

/** A page on its way: its job id is new in every run, since a finished job of the same id would not run again. */
export interface QueuedPage {
  path: string;
  jobId: string;
}

/** The pages of one book on the `ingest` queue. */
export class BookQueue {
  constructor(
    private readonly queue: JobQueue<'ingest'>,
    private readonly book: Book,
  ) {}

  /** Rejects with `UnreadablePage` when it is the page's own fault. */
  async add(path: string): Promise<QueuedPage> {
    const page = { path, jobId: randomUUID() };
    await this.addAgain(page);
    return page;
  }

  /** For a page that Redis has lost. */
  async addAgain({ path, jobId }: QueuedPage): Promise<void> {
    const markdown = await readPage(this.book.folder, path);
    await this.queue.add(jobId, { path, base_url: this.book.baseUrl, markdown });
  }

  find(page: QueuedPage): ReturnType<JobQueue<'ingest'>['find']> {
    return this.queue.find(page.jobId);
  }
}
