import type { Data } from 'unified';

type Listed<T> = T extends readonly (infer Item)[] ? Listed<Item> : T;

/** micromark's `Extension`. */
export type Syntax = Listed<NonNullable<Data['micromarkExtensions']>>;
type ConstructRecord = NonNullable<Syntax['flow']>;
export type Construct = Listed<NonNullable<ConstructRecord[number]>>;

/** The syntax beyond CommonMark, and its nodes. */
export interface Language {
  syntax: Syntax[];
  tree: Listed<NonNullable<Data['fromMarkdownExtensions']>>[];
}
