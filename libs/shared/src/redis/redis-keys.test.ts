import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { lockKey, queueKey } from '../jobs/index.js';
import { redisKeys } from './redis-keys.js';

/** CRC16 (XMODEM) of the hash tag, as the Redis Cluster specification defines a key's slot. */
function slotOf(key: string): number {
  const [, tag = key] = /\{([^}]+)\}/.exec(key) ?? [];
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc % 16_384;
}

it("the slot is computed as in the specification's example", () => {
  expect(slotOf('123456789')).toBe(0x31c3);
});

it('the log and the channel of a run lie in one slot, and runs spread over slots', () => {
  const runs = Array.from({ length: 100 }, () => randomUUID());
  for (const run of runs) expect(slotOf(redisKeys.runChannel(run))).toBe(slotOf(redisKeys.runLog(run)));
  expect(new Set(runs.map((run) => slotOf(redisKeys.runLog(run)))).size).toBeGreaterThan(50);
});

it('the lease of an index and the key of its last ingestion lie in one slot', () => {
  expect(slotOf(redisKeys.indexLease('quire'))).toBe(slotOf(redisKeys.lastIngestion('quire')));
});

it('all keys of the chat queue and of its fair order lie in one slot', () => {
  const keys = [
    queueKey('chat', 'wait'),
    lockKey('chat', randomUUID()),
    redisKeys.lastPriorities,
    redisKeys.currentPriority,
  ];
  expect(new Set(keys.map(slotOf)).size).toBe(1);
});
