/** Progress goes to standard error, so that standard output holds nothing but the report. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
