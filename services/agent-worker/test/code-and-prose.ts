/** Stands in the prose where code was taken out. */
export const CODE = '\u0001';

/** Tells the code of a Markdown text from its prose, as a reader's renderer would: by line, with the whole text at hand. */
export function codeAndProse(text: string): { code: string[]; prose: string } {
  const code: string[] = [];
  const prose: string[] = [];
  let fence: { indent: number; run: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const bare = withoutContainers(line);
    const indent = line.length - bare.length;
    const run = runOf(bare, 0);
    if (fence) {
      fence.lines.push(line);
      const closes = run.startsWith(fence.run) && bare.slice(run.length).trim() === '';
      if (!closes || indent > fence.indent + 3 || /[^\s>]/.test(line.slice(0, indent))) continue;
      code.push(fence.lines.join('\n'));
      fence = undefined;
    } else if (run.length >= 3 && (run.startsWith('~') || !bare.includes('`', run.length))) {
      fence = { indent, run, lines: [line] };
      prose.push(CODE);
    } else {
      prose.push(withoutCodeSpans(line, code));
    }
  }
  if (fence) code.push(fence.lines.join('\n'));
  return { code, prose: prose.join('\n') };
}

/** The line behind its indentation, quote marks and bullets. */
function withoutContainers(line: string): string {
  const rest = line.trimStart();
  const [first = ''] = rest.split(/\s/, 1);
  if (rest.startsWith('>')) return withoutContainers(rest.slice(1));
  const isBullet = ['-', '*', '+'].includes(first) || /^\d{1,9}[.)]$/.test(first);
  return isBullet && rest !== first ? withoutContainers(rest.slice(first.length)) : rest;
}

/** The backticks or tildes that stand at this place. */
function runOf(text: string, start: number): string {
  const mark = text.charAt(start);
  if (mark !== '`' && mark !== '~') return '';
  let end = start + 1;
  while (text.charAt(end) === mark) end += 1;
  return text.slice(start, end);
}

function withoutCodeSpans(line: string, code: string[]): string {
  let prose = '';
  for (let at = 0; at < line.length;) {
    const run = line.charAt(at) === '`' ? runOf(line, at) : '';
    const end = run === '' ? undefined : endOfSpan(line, at + run.length, run);
    const length = line.charAt(at) === '\\' ? 2 : Math.max(1, run.length);
    if (end === undefined) prose += line.slice(at, at + length);
    else {
      code.push(line.slice(at, end));
      prose += CODE;
    }
    at = end ?? at + length;
  }
  return prose;
}

function endOfSpan(line: string, from: number, run: string): number | undefined {
  for (let at = from; at < line.length; at += 1) {
    if (line.charAt(at) !== '`') continue;
    const found = runOf(line, at);
    if (found === run) return at + found.length;
    at += found.length - 1;
  }
  return undefined;
}
