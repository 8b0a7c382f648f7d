import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { requireDiskSpace } from './disk-space.js';

it('too little disk space is reported in megabytes, with a remedy', async () => {
  await expect(requireDiskSpace(tmpdir(), Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    message: expect.stringMatching(/^only \d+ MB of disk are free at /) as string,
    remedy: expect.stringContaining('QUIRE_DATA_DIR') as string,
  });
});

it('sufficient disk space is not mentioned', async () => {
  await expect(requireDiskSpace(tmpdir(), 1)).resolves.toBeUndefined();
});
