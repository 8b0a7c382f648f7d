import { writeFile } from 'node:fs/promises';
import { isClean, type ChaosReport } from './report.js';

export async function writeJson(file: string, report: ChaosReport): Promise<void> {
  const dated = { at: new Date().toISOString(), ok: isClean(report), ...report };
  await writeFile(file, `${JSON.stringify(dated, undefined, 2)}\n`);
}
