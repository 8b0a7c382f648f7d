import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { LeftOut, LeftOutReason } from '../book-source.js';
import { formatOf } from '../page-format.js';
import { UnusableSource } from '../source-errors.js';
import { isLocale } from './locale.js';
import { isDocusaurusConfig, MDBOOK_CONFIG } from './site-generator.js';

export interface Listing {
  /** The paths of the pages below the folder, sorted. */
  paths: string[];
  leftOut: LeftOut[];
  /** Whether Docusaurus's `_category_` files were seen. */
  hasCategories: boolean;
}

export interface ListOptions {
  translations?: boolean | undefined;
  signal: AbortSignal;
}

/** The pages below a folder at any depth. Hidden files and installed packages are not part of a book. */
export async function listFolder(folder: string, options: ListOptions): Promise<Listing> {
  const listing: Listing = { paths: [], leftOut: [], hasCategories: false };
  const root = await realpath(folder).catch((error: unknown) => failOn(folder, error));
  await visit([], undefined);
  listing.paths.sort();
  listing.leftOut.sort((a, b) => (a.path < b.path ? -1 : 1));
  return listing;

  async function visit(above: readonly string[], reasonAbove: LeftOutReason | undefined): Promise<void> {
    options.signal.throwIfAborted();
    const here = join(root, ...above);
    // Skipping an unreadable folder would remove its pages from the index.
    const entries = await readdir(here, { withFileTypes: true }).catch((error: unknown) =>
      failOn(here, error),
    );
    const output = outputFolder(entries);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const names = [...above, entry.name];
      const reason = reasonAbove ?? ownReason(names, options);
      if (/^_category_\.(json|ya?ml)$/.test(entry.name)) listing.hasCategories = true;
      if (entry.isSymbolicLink()) await addLink(names, reason);
      else if (entry.isFile()) add(names, reason);
      else if (entry.isDirectory() && entry.name === output) leaveOut([...names, ''], 'build output');
      else if (entry.isDirectory()) await visit(names, reason);
    }
  }

  function add(names: readonly string[], reason: LeftOutReason | undefined): void {
    if (formatOf(names.at(-1) ?? '') === undefined) return;
    if (reason === undefined) listing.paths.push(names.join('/'));
    else leaveOut(names, reason);
  }

  async function addLink(names: readonly string[], reason: LeftOutReason | undefined): Promise<void> {
    const target = await realpath(join(root, ...names)).catch(() => undefined);
    const kind = target === undefined ? undefined : await stat(target);
    if (kind?.isDirectory()) return leaveOut([...names, ''], 'symbolic link');
    const usable = kind?.isFile() && target !== undefined && isInside(root, target);
    add(names, usable ? reason : 'symbolic link');
  }

  function leaveOut(names: readonly string[], reason: LeftOutReason): void {
    listing.leftOut.push({ path: names.join('/'), reason });
  }
}

export function isInside(folder: string, file: string): boolean {
  const below = relative(folder, file);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

function ownReason(names: readonly string[], { translations }: ListOptions): LeftOutReason | undefined {
  if (names.at(-1)?.startsWith('_')) return 'partial';
  const [parent, name] = names.slice(-2);
  if (translations || parent !== 'i18n' || name === undefined) return undefined;
  // A chapter about translation may be called i18n, too.
  return isLocale(name) ? 'translation' : undefined;
}

/** The output folder of the generator that is configured here. */
function outputFolder(entries: readonly Dirent[]): string | undefined {
  if (entries.some(({ name }) => isDocusaurusConfig(name))) return 'build';
  return entries.some(({ name }) => name === MDBOOK_CONFIG) ? 'book' : undefined;
}

function failOn(folder: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') throw new UnusableSource(`${folder} does not exist.`);
  const why = code === 'EACCES' || code === 'EPERM' ? 'permission denied' : String(code);
  throw new UnusableSource(`${folder} cannot be read: ${why}.`, { cause: error });
}
