import { expect, it } from 'vitest';
import { Conversation } from './conversation.js';

it.each([
  ['1', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
  ['4', '919108f7-52d1-4320-9bac-f847db4148a8'],
  ['6', '1ec9414c-232a-6b00-b3c8-9f6bdeced846'],
  ['7', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'],
  ['8', '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0'],
])('/open takes a thread id that is a UUID of version %s, in either case', (_version, id) => {
  expect(new Conversation().find(id)).toBe(id);
  expect(new Conversation().find(id.toUpperCase())).toBe(id);
});

it('/open takes no id that the gateway would refuse', () => {
  expect(new Conversation().find('00000000-0000-0000-0000-000000000000')).toBeUndefined();
});
