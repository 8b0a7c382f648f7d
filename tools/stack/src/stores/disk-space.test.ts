import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { requireDiskSpace } from './disk-space.js';

describe('disk space', () => {
  it('that is too little is said in megabytes, with a way out', async () => {
    await expect(requireDiskSpace(tmpdir(), Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
      message: expect.stringMatching(/^only \d+ MB of disk are free at /) as string,
      remedy: expect.stringContaining('QUIRE_DATA_DIR') as string,
    });
  });

  it('that suffices is not mentioned', async () => {
    await expect(requireDiskSpace(tmpdir(), 1)).resolves.toBeUndefined();
  });
});
