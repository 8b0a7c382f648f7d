import type { Root } from 'mdast';
import remarkDirective from 'remark-directive';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified, type Processor } from 'unified';

/** `:name` within a line is prose (`ros2:humble`) to Docusaurus too; only `:::` blocks are directives. */
function withoutInlineDirectives(this: Processor): void {
  for (const extensions of (this.data().micromarkExtensions ?? []).flat())
    delete extensions.text?.[':'.charCodeAt(0)];
}

const processor = unified()
  .use(remarkParse)
  .use(remarkFrontmatter, ['yaml'])
  .use(remarkDirective)
  .use(withoutInlineDirectives)
  .use(remarkGfm)
  .freeze();

export function parseMarkdown(source: string): Root {
  return processor.parse(source);
}
