import { threadPatchSchema, type Metadata } from '@quire/shared/contracts';
import { changeMetadata, type Database, type ThreadOwner } from '@quire/shared/database';
import { describeProblems } from '../http/describe-problems.js';
import { mergePatch } from './merge-patch.js';

/** Applies the untrusted body of `PATCH /threads/{id}`; what comes of it keeps to the same rules. */
export async function patchMetadata(db: Database, owner: ThreadOwner, body: unknown): Promise<boolean> {
  const patch = checked(body);
  return changeMetadata(db, owner, (present) => checked({ metadata: mergePatch(present, patch) }));
}

function checked(patch: unknown): Metadata {
  const parsed = threadPatchSchema.safeParse(patch);
  if (!parsed.success) throw describeProblems(parsed.error.issues);
  return parsed.data.metadata;
}
