/** Cohere's default output per model; the API does not report it. */
export const cohereDimensions: Readonly<Record<string, number>> = {
  'embed-v4.0': 1536,
  'embed-english-v3.0': 1024,
  'embed-english-light-v3.0': 384,
  'embed-multilingual-v3.0': 1024,
  'embed-multilingual-light-v3.0': 384,
};
