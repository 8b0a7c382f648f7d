export interface FailedPage {
  path: string;
  reason: string;
}

export interface IngestionState {
  total: number;
  done: number;
  chunks: number;
  failed: FailedPage[];
}

export function progressLine({ total, done, chunks, failed }: IngestionState): string {
  const failures = failed.length === 0 ? '' : `, ${failed.length} failed`;
  return `${done + failed.length}/${total} pages, ${chunks} chunks${failures}`;
}

export function summary({ done, chunks, failed }: IngestionState, elapsedMs: number): string {
  const lines = [
    `${counted(done, 'page')} ingested, ${counted(chunks, 'chunk')}, ${(elapsedMs / 1000).toFixed(1)} s`,
  ];
  if (failed.length > 0) {
    lines.push(`${counted(failed.length, 'page')} failed:`);
    for (const { path, reason } of failed) lines.push(`  ${path}: ${withoutCode(reason)}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** `INVALID_REQUEST: The front matter …` → `The front matter …` */
function withoutCode(reason: string): string {
  return reason.replace(/^[A-Z_]+: /, '');
}
