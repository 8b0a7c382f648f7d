import type { SiteLayout } from '@quire/shared/contracts';
import { parse as parseTomlText, TomlError } from 'smol-toml';
import { parse as parseYamlText, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { invalidPage } from './invalid-page.js';
import { wellFormedText } from './well-formed-text.js';

/** As Docusaurus converts them: YAML makes numbers of words, authors put quotes around numbers. */
const text = z.union([z.string(), z.number().transform(String)]).transform(wellFormedText);
const position = z.union([z.number(), z.string().trim().min(1).pipe(z.coerce.number())]);
const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]);

const fields = {
  title: text.nullish(),
  id: text.nullish(),
  slug: text.nullish(),
  sidebar_position: position.nullish(),
  draft: flag.nullish(),
};
/** Other generators have fields of the same names that mean something else. */
const lenientFields = {
  title: fields.title.catch(undefined),
  id: fields.id.catch(undefined),
  slug: fields.slug.catch(undefined),
  sidebar_position: fields.sidebar_position.catch(undefined),
  draft: fields.draft.catch(undefined),
};

export interface FrontMatter {
  title: string | undefined;
  id: string | undefined;
  slug: string | undefined;
  sidebarPosition: number | undefined;
  isDraft: boolean;
}

/**
 * Reads what stands between the marks; an empty one is allowed. Undefined where these are only rules around prose:
 * Docusaurus would not build such a page, others do.
 */
export function readFrontMatter(
  language: 'yaml' | 'toml',
  source: string,
  layout: SiteLayout,
): FrontMatter | undefined {
  const isStrict = layout === 'docusaurus' || language === 'toml';
  if (!isStrict && !isMapping(source)) return undefined;
  const value = (language === 'yaml' ? parseYaml(source) : parseToml(source)) ?? {};
  const parsed = z.looseObject(layout === 'docusaurus' ? fields : lenientFields).safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw invalidPage(`The front matter is not valid: ${problems.join('; ')}`);
  }
  const { title, id, slug, sidebar_position: sidebarPosition, draft } = parsed.data;
  return {
    title: title ?? undefined,
    id: id ?? undefined,
    slug: slug ?? undefined,
    sidebarPosition: sidebarPosition ?? undefined,
    isDraft: draft ?? false,
  };
}

/** Also where it is broken: what begins with a key was meant to be one. */
function isMapping(source: string): boolean {
  try {
    const value: unknown = parseYamlText(source) ?? {};
    return typeof value === 'object' && !Array.isArray(value);
  } catch {
    return /^[\w-]+:(?:\s|$)/.test(source);
  }
}

function parseYaml(source: string): unknown {
  try {
    return parseYamlText(source);
  } catch (cause) {
    const [place] = cause instanceof YAMLParseError ? (cause.linePos ?? []) : [];
    const [reason = ''] = (cause as Error).message.split(/ at line |\n/);
    throw invalidPage(`The front matter is not valid YAML: ${reason}`, belowMarks(place), cause);
  }
}

function parseToml(source: string): unknown {
  try {
    return parseTomlText(source);
  } catch (cause) {
    const place = cause instanceof TomlError ? { line: cause.line, col: cause.column } : undefined;
    const [reason = ''] = (cause as Error).message.split('\n');
    throw invalidPage(`The front matter is not valid TOML: ${reason}`, belowMarks(place), cause);
  }
}

/** The marks are the first line of the page. */
function belowMarks(place: { line: number; col: number } | undefined) {
  return place && { line: place.line + 1, column: place.col };
}
