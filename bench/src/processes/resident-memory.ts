import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { promisify } from 'node:util';

const EVERY_MS = 1000;
const KB_PER_MB = 1024;

/** Samples the resident memory of a process every second, in MB, until it is stopped or the process is gone. */
export function sampleMemory(pid: number): { stop(): number[] } {
  const samples: number[] = [];
  const take = async () => {
    const megabytes = await residentMegabytes(pid).catch(() => undefined);
    if (megabytes !== undefined) samples.push(megabytes);
  };
  const timer = setInterval(() => void take(), EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return samples;
    },
  };
}

/** Returns undefined when the process is gone. */
async function residentMegabytes(pid: number): Promise<number | undefined> {
  const kilobytes =
    platform() === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
      : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim();
  return kilobytes ? Number(kilobytes) / KB_PER_MB : undefined;
}
