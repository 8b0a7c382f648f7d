const DIMENSIONS: ReadonlyArray<[RegExp, number]> = [
  [/^embed-(english|multilingual)-light-v3/, 384],
  [/^embed-(english|multilingual)-v3/, 1_024],
  [/^text-embedding-3-large/, 3_072],
  [/^gemini-embedding/, 3_072],
];

/** The length of a model's vectors unless the request sets another. */
export function nativeDimension(model: string): number {
  return DIMENSIONS.find(([pattern]) => pattern.test(model))?.[1] ?? 1_536;
}
