import { InvalidInput } from '@quire/shared/errors';
import { parse } from 'yaml';
import { z } from 'zod';

const text = z.union([z.string(), z.number().transform(String)]).nullish();

const frontMatterSchema = z
  .looseObject({
    title: text,
    id: text,
    slug: z.string().nullish(),
    sidebar_position: z.number().nullish(),
  })
  .transform(({ title, id, slug, sidebar_position: position }) => ({
    title: title ?? undefined,
    id: id ?? undefined,
    slug: slug ?? undefined,
    sidebarPosition: position ?? undefined,
  }));
export type FrontMatter = z.infer<typeof frontMatterSchema>;

/** Reads the YAML between the dashes; an empty one is allowed. */
export function readFrontMatter(yaml: string): FrontMatter {
  const parsed = frontMatterSchema.safeParse(parseYaml(yaml) ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new InvalidInput('INVALID_REQUEST', `The front matter is not valid: ${problems.join('; ')}`);
}

function parseYaml(yaml: string): unknown {
  try {
    return parse(yaml);
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split('\n');
    throw new InvalidInput('INVALID_REQUEST', `The front matter is not valid YAML: ${reason}`, { cause });
  }
}
