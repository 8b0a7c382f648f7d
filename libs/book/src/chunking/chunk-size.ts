/** The size that packing aims at, in characters. */
export const TARGET_CHARACTERS = 1200;

/** No chunk is larger; code blocks, tables and list items up to this size stay whole. */
export const WHOLE_BLOCK_CHARACTERS = 2 * TARGET_CHARACTERS;

/** A smaller section joins its neighbour. */
export const SHORT_SECTION_CHARACTERS = 300;
