import type { Source } from '@quire/shared/contracts';
import { plainLine } from '../plain-text.js';
import type { TextStyle } from '../text-style.js';

export interface SourcesForm {
  snippets: boolean;
}

/** Each source with its marker, its headings and, on a line of its own, its address. */
export function sourcesText(sources: readonly Source[], style: TextStyle, { snippets }: SourcesForm): string {
  return sources.map((source) => sourceText(source, style, snippets)).join('');
}

function sourceText(source: Source, style: TextStyle, snippets: boolean): string {
  const indent = ' '.repeat(`[${source.marker}] `.length);
  const lines =
    'source_type' in source
      ? [`Selected text, characters ${source.char_start}–${source.char_end}`]
      : [headingsOf(source), style.dim(plainLine(source.source_url))];
  if (snippets || 'source_type' in source) lines.push(plainLine(source.snippet));
  return `${style.bold(`[${source.marker}]`)} ${lines.join(`\n${indent}`)}\n`;
}

function headingsOf({ title, section }: { title: string; section: string }): string {
  const headings = [title, ...section.split(' > ')].map(plainLine);
  return headings.filter((heading, i) => heading !== '' && heading !== headings[i - 1]).join(' › ');
}
