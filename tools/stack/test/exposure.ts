import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;
const LISTENING = '0A';

/** What must be seen by no other user of the machine. */
export function secretsIn(dataDir: string): string[] {
  const folder = join(dataDir, 'secrets');
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** Every user may read the command lines of all processes. */
export function commandLinesWith(secrets: readonly string[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => contentOf(`/proc/${pid}/cmdline`))
    .filter((line) => secrets.some((secret) => line.includes(secret)));
}

/** Files below a folder that every user may reach and read. */
export function filesOpenToOthers(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [];
    const { mode } = statSync(path);
    if (entry.isDirectory()) return mode & OTHERS_ENTER ? filesOpenToOthers(path) : [];
    return mode & OTHERS_READ ? [path] : [];
  });
}

/** The addresses a process listens on: `127.0.0.1:<port>` as the kernel writes it, or the path of a unix socket. */
export function listeningAddresses(pid: number): string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).map(
      (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1],
    ),
  );
  const internet = ['tcp', 'tcp6'].flatMap((kind) =>
    rowsOf(`/proc/${pid}/net/${kind}`)
      .filter((row) => row[3] === LISTENING && own.has(row[9]))
      .map((row) => row[1] ?? ''),
  );
  const unix = rowsOf(`/proc/${pid}/net/unix`)
    .filter((row) => own.has(row[6]) && row[7] !== undefined)
    .map((row) => row[7] ?? '');
  return [...internet, ...unix];
}

function rowsOf(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
}

/** A process or descriptor may be gone by the time it is looked at. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
