import { expect, it } from 'vitest';
import { sessionIdSchema } from './session-id.contract.js';

// The examples of RFC 9562, appendix A and B.
it.each([
  ['1', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
  ['3', '5df41881-3aed-3515-88a7-2f4a814cf09e'],
  ['4', '919108f7-52d1-4320-9bac-f847db4148a8'],
  ['5', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
  ['6', '1ec9414c-232a-6b00-b3c8-9f6bdeced846'],
  ['7', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'],
  ['8', '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0'],
])('a UUID of version %s is a valid session_id, and is converted to lower case', (_version, id) => {
  expect(sessionIdSchema.parse(id)).toBe(id);
  expect(sessionIdSchema.parse(id.toUpperCase())).toBe(id);
});

it.each([
  ['the nil UUID', '00000000-0000-0000-0000-000000000000', 'must not be the nil or the max UUID'],
  ['the max UUID', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'must not be the nil or the max UUID'],
  ['a UUID of version 9', '919108f7-52d1-9320-9bac-f847db4148a8', 'Invalid UUID'],
  ['a UUID in braces', '{919108f7-52d1-4320-9bac-f847db4148a8}', 'Invalid UUID'],
  ['a UUID without hyphens', '919108f752d143209bacf847db4148a8', 'Invalid UUID'],
  ['an empty string', '', 'Invalid UUID'],
])('%s is no valid session_id', (_, id, problem) => {
  expect(sessionIdSchema.safeParse(id).error?.issues.map(({ message }) => message)).toEqual([problem]);
});
