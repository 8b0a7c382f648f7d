import { execFile } from 'node:child_process';

export interface ToolOutcome {
  code: number;
  stdout: string;
  output: string;
}

/** Turns off telemetry, update checks and colours. */
const quiet = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
};

/** Runs a tool's script with this Node and returns its output, whatever its exit code. */
export function runTool(script: string, args: readonly string[], cwd: string): Promise<ToolOutcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...args],
      { cwd, env: { ...process.env, ...quiet }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
        resolve({ code, stdout, output: stdout + stderr });
      },
    );
  });
}
