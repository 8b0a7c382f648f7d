import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, platform } from 'node:os';
import type { JudgedFigure } from './figure.js';

/** The report names the machine and its load: figures of another or a busy machine are not comparable. */
export async function writeJson(file: string, figures: readonly JudgedFigure[]): Promise<void> {
  const report = {
    at: new Date().toISOString(),
    machine: {
      platform: platform(),
      cores: availableParallelism(),
      load: loadavg(),
      node: process.versions.node,
    },
    ok: figures.every(({ verdict }) => verdict !== 'missed'),
    figures,
  };
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
}
