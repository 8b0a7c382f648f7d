const SERIOUS = new Set(['high', 'critical']);

/**
 * What `npm audit --json` has found out about the packages that are shipped. A registry that does not answer the
 * question leaves it open: that is neither a pass nor a failure.
 * @returns {{ verdict: 'passed' | 'failed' | 'skipped', lines: string[] }}
 */
export function judgeAudit(output) {
  const report = jsonIn(output);
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined) {
    const status = report?.statusCode ?? report?.error?.code;
    return {
      verdict: 'skipped',
      lines: [
        `NOT CHECKED: the npm registry did not answer${status === undefined ? '' : ` (${status})`}, so the dependencies were not checked`,
        'whether the dependencies have known vulnerabilities. Run `npm audit --omit=dev` where it does.',
      ],
    };
  }
  const serious = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) => SERIOUS.has(severity));
  return {
    verdict: serious.length === 0 ? 'passed' : 'failed',
    lines: serious.map(({ name, severity, range }) => `${severity}: ${name} ${range}`),
  };
}

/** npm prints its warnings before the report. */
function jsonIn(output) {
  const start = output.search(/^\{/m);
  try {
    return start < 0 ? undefined : JSON.parse(output.slice(start, output.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
