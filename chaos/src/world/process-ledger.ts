import { isSameProcess, processIdentity } from '@quire/stack/processes';

/** All started processes, to check at the end that none is left. */
export class ProcessLedger {
  private readonly entries: { label: string; pid: number; identity: string | undefined }[] = [];

  enter(label: string, pid: number | undefined): void {
    if (pid !== undefined) this.entries.push({ label, pid, identity: processIdentity(pid) });
  }

  alive(): string[] {
    return this.entries
      .filter(({ pid, identity }) => identity !== undefined && isSameProcess(pid, identity))
      .map(({ label, pid }) => `${label} (pid ${pid})`);
  }
}
