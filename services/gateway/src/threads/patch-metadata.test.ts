import type { Metadata } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { mergePatch } from './patch-metadata.js';

/** The examples of RFC 7396, appendix A, in which both sides are objects. */
it.each<[target: Metadata, patch: Metadata, result: Metadata]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{ a: 'b' }, {}, { a: 'b' }],
])('the metadata %j merged with the patch %j is %j', (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

it('__proto__ and constructor are merged like other keys', () => {
  const patch = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as Metadata;
  const merged = mergePatch({}, patch);
  expect(Object.keys(merged)).toEqual(['__proto__', 'constructor']);
  expect({}).not.toHaveProperty('polluted');
});
