/** Characters a chunk aims at. */
export const TARGET_CHARACTERS = 1200;

/** Up to here a code block, a table and a list item stay whole, and no chunk is larger. */
export const WHOLE_BLOCK_CHARACTERS = 2 * TARGET_CHARACTERS;

/** A section below this says too little alone: it joins its neighbour. */
export const SHORT_SECTION_CHARACTERS = 300;
