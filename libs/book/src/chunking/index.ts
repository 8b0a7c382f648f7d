export { chunkPage, type ChunkedPage } from './chunk-page.js';
export { embeddedText } from './embedded-text.js';

/** Raised whenever the same source gives other chunks than before. */
export const CHUNKER_VERSION = 3;
