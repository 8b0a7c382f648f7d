const ROUTINE_LEVELS = new Set(['trace', 'debug', 'info']);

/** Whether a line is a routine log entry that need not be shown while other output is on the screen. */
export function isRoutineLine(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return ROUTINE_LEVELS.has((JSON.parse(line) as { level?: string }).level ?? '');
  } catch {
    return false;
  }
}
