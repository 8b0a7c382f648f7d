import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { placeData } from './data-place.js';

const isRoot = process.getuid?.() === 0;

it('the data folder is the requested one when the stores can reach it', async () => {
  const wanted = join(folder(0o755), '.quire');
  expect(await placeData(wanted)).toEqual({ dataDir: wanted });
});

it.runIf(isRoot)(
  'the data folder is one in /var/tmp when root requests one that the stores cannot enter',
  async () => {
    const wanted = [join(folder(0o700), '.quire'), join(folder(0o700), '.quire')];
    const [first, second] = await Promise.all(wanted.map((path) => placeData(path)));
    const places = [first?.dataDir ?? '', second?.dataDir ?? ''];
    onTestFinished(() => places.forEach((place) => rmSync(place, { recursive: true, force: true })));
    expect(places[0]).toMatch(/^\/var\/tmp\/quire-[0-9a-f]{12}$/);
    expect(places[1]).not.toBe(places[0]);
    expect(statSync(places[0] ?? '').uid).toBe(0);
    expect(first?.notice).toContain(`data is in ${places[0]}`);
    expect(await placeData(wanted[0] ?? '')).toEqual(first);
  },
);

it.skipIf(isRoot)('the data folder is refused with a remedy when it cannot be written', async () => {
  const wanted = join(folder(0o500), '.quire');
  await expect(placeData(wanted)).rejects.toMatchObject({
    name: 'StackError',
    remedy: expect.stringContaining('QUIRE_DATA_DIR') as string,
  });
});

function folder(mode: number): string {
  const path = mkdtempSync(join(tmpdir(), 'quire-place-'));
  chmodSync(path, mode);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
