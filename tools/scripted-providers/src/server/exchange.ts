import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and its response, with the ways in which the response can fail. */
export class Exchange {
  private droppedByServer = false;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
  ) {}

  get open(): boolean {
    return !this.response.destroyed;
  }

  onClientLeaving(listener: () => void): void {
    this.response.once('close', () => {
      if (!this.response.writableFinished && !this.droppedByServer) listener();
    });
  }

  /** Resolves early when the connection closes; check `open` afterwards. */
  async wait(ms: number): Promise<void> {
    if (ms <= 0 || !this.open) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.response.off('close', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.response.once('close', done);
    });
  }

  async write(data: string): Promise<void> {
    if (!this.open || this.response.write(data)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.once('drain', done).once('close', done);
    });
  }

  /** Stalls: resolves when the connection has ended. */
  async untilClosed(): Promise<void> {
    if (!this.open) return;
    await new Promise<void>((resolve) => {
      this.response.once('close', resolve);
    });
  }

  /** Sends what was written, then ends the connection within the response. */
  cut(): void {
    this.droppedByServer = true;
    if (!this.response.headersSent) this.response.flushHeaders();
    this.response.socket?.destroySoon();
  }

  drop(): void {
    this.droppedByServer = true;
    this.request.socket.destroy();
  }
}
