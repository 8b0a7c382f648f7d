import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from './run-tool.js';
import { tools } from './tool-paths.js';
import { withFolder } from './with-folder.js';

interface LintReport {
  problems: { ruleId: string; severity: string; message: string; location: { pointer?: string }[] }[];
}

/** The findings of Redocly's `recommended` rules in an OpenAPI document, warnings included. */
export function lintDocument(document: object): Promise<string[]> {
  return withFolder(async (folder) => {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const args = ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json'];
    const { stdout, output } = await runTool(tools.redocly, args, folder);
    if (!stdout.startsWith('{')) throw new Error(`The linter gave no report:\n${output}`);
    const { problems } = JSON.parse(stdout) as LintReport;
    return problems.map(
      ({ ruleId, severity, message, location }) =>
        `${severity} ${ruleId} at ${location[0]?.pointer ?? '#'}: ${message}`,
    );
  });
}
