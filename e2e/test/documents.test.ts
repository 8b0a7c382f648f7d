import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { repoRoot } from './quire-processes.js';

const pages = readdirSync(join(repoRoot, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('docs', file));
const documents = ['README.md', 'CHANGELOG.md', ...pages];
const read = (file: string) => readFileSync(join(repoRoot, file), 'utf8');
const exists = (file: string) => existsSync(join(repoRoot, file));

it.each(documents)('%s links only to files that exist', (file) => {
  const targets = [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? '');
  expect(targets.filter((target) => !exists(join(dirname(file), target)))).toEqual([]);
});

it.each(['README.md', 'docs/architecture.md'])('%s names only folders and files that exist', (file) => {
  const named = [
    ...read(file).matchAll(/`((?:services|libs|tools|scripts|books|e2e|docs)(?:\/[^`\s<{]*)?)`/g),
  ];
  const paths = named.map((match) => match[1] ?? '');
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

it('docs/faults.md names only tests that exist', () => {
  const listed = read('docs/faults.md').replaceAll(/\n {2,}(?!- )/g, ' ');
  const named = [...listed.matchAll(/^ *- `([^`]+\.test\.ts)`: (.+)$/gm)];
  const missing = named.filter(([, file = '', title = '']) => !exists(file) || !read(file).includes(title));
  expect(named.length).toBeGreaterThan(40);
  expect(missing.map(([reference]) => reference)).toEqual([]);
});
