export { chunkPage, type ChunkedPage } from './chunk-page.js';
export { embeddedText } from './embedded-text.js';

/** Increased whenever the same source yields other chunks than before. */
export const CHUNKER_VERSION = 3;
