import type { SiteLayout } from '@quire/shared/contracts';
import { parse as parseTomlText, TomlError } from 'smol-toml';
import { parse as parseYamlText, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { invalidPage } from './invalid-page.js';
import { wellFormedText } from './well-formed-text.js';

/** Converted as Docusaurus does: YAML reads words as numbers, authors quote numbers. */
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
/** In other generators these fields have other meanings. */
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
 * Parses the text between the delimiters, which may be empty. Undefined when they are rules around prose, which
 * generators other than Docusaurus allow.
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

/** True for broken front matter, too: text that starts with a key is meant to be front matter. */
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
    const [location] = cause instanceof YAMLParseError ? (cause.linePos ?? []) : [];
    const [reason = ''] = (cause as Error).message.split(/ at line |\n/);
    throw invalidPage(`The front matter is not valid YAML: ${reason}`, belowDelimiter(location), cause);
  }
}

function parseToml(source: string): unknown {
  try {
    return parseTomlText(source);
  } catch (cause) {
    const location = cause instanceof TomlError ? { line: cause.line, col: cause.column } : undefined;
    const [reason = ''] = (cause as Error).message.split('\n');
    throw invalidPage(`The front matter is not valid TOML: ${reason}`, belowDelimiter(location), cause);
  }
}

/** Adds the first line of the page, which is the delimiter. */
function belowDelimiter(location: { line: number; col: number } | undefined) {
  return location && { line: location.line + 1, column: location.col };
}
