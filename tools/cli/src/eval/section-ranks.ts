import type { Chunk } from '@quire/shared/contracts';
import { isInSection } from '../golden/expected-section.js';

/** Where each expected section comes up first, counted from 1; null where it does not. */
export type SectionRanks = (number | null)[];

export function rankSections(
  expected: readonly string[],
  chunks: readonly Pick<Chunk, 'url' | 'anchors'>[],
): SectionRanks {
  return expected.map((section) => {
    const index = chunks.findIndex((chunk) => isInSection(section, chunk));
    return index === -1 ? null : index + 1;
  });
}
