import { join } from 'node:path';
import { spawnGuarded } from '@quire/stack/processes';
import { REPOSITORY } from '../repository.js';

const BOOK = ['books/physical-ai/docs/ros2', '--base-url', 'https://physical-ai.example/docs/ros2'];

/** Ingests a part of the sample book with `quire ingest`. */
export async function ingestBook(env: Record<string, string>, folder: string): Promise<void> {
  const command = await spawnGuarded({
    label: 'ingest',
    role: 'service',
    command: process.execPath,
    args: ['tools/cli/bin/quire.js', 'ingest', ...BOOK],
    cwd: REPOSITORY,
    env,
    runDir: join(folder, 'run'),
  });
  const { code } = await command.exited;
  if (code !== 0) throw new Error(`quire ingest ended with ${code}:\n${command.lastLines().join('\n')}`);
}
