import { z } from 'zod';
import { isNestedWithin, isStorableJson } from './storable-text.js';

export const METADATA_MAX_BYTES = 4096;
export const METADATA_MAX_DEPTH = 10;

export const jsonValueSchema = z.json();

/**
 * A caller's metadata of a question or a thread. The depth is checked first: a body of 256 KB can be nested so deeply that
 * recursive parsing overflows the stack.
 */
export const metadataSchema = z
  .record(z.string(), z.unknown())
  .refine((value) => isNestedWithin(METADATA_MAX_DEPTH, value), {
    error: `must not be nested deeper than ${METADATA_MAX_DEPTH} levels`,
  })
  .pipe(z.record(z.string(), jsonValueSchema))
  .refine(isStorableJson, { error: 'must not contain NUL characters or lone surrogates' })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= METADATA_MAX_BYTES, {
    error: `must not exceed ${METADATA_MAX_BYTES} bytes of JSON`,
  })
  .describe(`At most ${METADATA_MAX_BYTES} bytes of JSON, nested ${METADATA_MAX_DEPTH} deep`);
export type Metadata = z.infer<typeof metadataSchema>;
