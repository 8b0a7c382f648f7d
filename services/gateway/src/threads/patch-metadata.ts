import { metadataSchema, threadPatchSchema } from '@quire/shared/contracts';
import { changeMetadata, type Database, type ThreadOwner } from '@quire/shared/database';
import { describeProblems } from '../http/describe-problems.js';
import { mergePatch } from './merge-patch.js';

/** Applies the untrusted body of `PATCH /threads/{id}`; what comes of it keeps to the rules of all metadata. */
export async function patchMetadata(db: Database, owner: ThreadOwner, body: unknown): Promise<boolean> {
  const patch = threadPatchSchema.safeParse(body);
  if (!patch.success) throw describeProblems(patch.error.issues);
  return changeMetadata(db, owner, (present) => {
    const merged = metadataSchema.safeParse(mergePatch(present, patch.data.metadata));
    if (merged.success) return merged.data;
    throw describeProblems(
      merged.error.issues.map((issue) => ({ ...issue, path: ['metadata', ...issue.path] })),
    );
  });
}
