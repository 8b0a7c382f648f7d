import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, platform } from 'node:os';
import type { JudgedFigure } from './figure.js';

/** Figures of a busy or of another machine are not comparable, so both are noted beside them. */
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
