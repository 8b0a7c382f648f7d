import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

const HEAD_BYTES = 8192;

/** Whether any page has the front matter that Docusaurus reads. */
export async function hasDocusaurusFrontMatter(
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const path of paths) {
    signal.throwIfAborted();
    // An unreadable page is reported when it is ingested.
    const head = await readHead(join(folder, path)).catch(() => '');
    if (isDocusaurusFrontMatter(head)) return true;
  }
  return false;
}

export function isDocusaurusFrontMatter(head: string): boolean {
  const yaml = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(\r?\n|$)/s.exec(head)?.[1];
  if (yaml === undefined) return false;
  try {
    const keys = Object.keys((parse(yaml) as object | null) ?? {});
    return keys.includes('slug') || keys.includes('sidebar_position');
  } catch {
    return false;
  }
}

async function readHead(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
