import { spawn } from 'node:child_process';
import { REPOSITORY } from './repository.mjs';

/**
 * Runs a program in the repository. With `quiet` its output is kept and returned instead of shown.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCommand(command, args, { quiet = false, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: REPOSITORY,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: signal ? 1 : code, output }));
  });
}

/** npm itself, run by the Node that runs us: it need not be on PATH. */
export function npm(args, options) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js')
    ? runCommand(process.execPath, [script, ...args], options)
    : runCommand('npm', args, options);
}
