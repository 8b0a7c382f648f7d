import type { Data } from 'unified';

type Listed<T> = T extends readonly (infer Item)[] ? Listed<Item> : T;

/** How micromark is taught something; its own name for it is `Extension`. */
export type Syntax = Listed<NonNullable<Data['micromarkExtensions']>>;
type ConstructRecord = NonNullable<Syntax['flow']>;
export type Construct = Listed<NonNullable<ConstructRecord[number]>>;

/** What is read in addition to CommonMark, and what nodes it becomes. */
export interface Language {
  syntax: Syntax[];
  tree: Listed<NonNullable<Data['fromMarkdownExtensions']>>[];
}
