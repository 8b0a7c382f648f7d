import { expect, it } from 'vitest';
import { ToolCallAssembly, type ToolCallFragment } from './tool-call-assembly.js';

const assembled = (...chunks: ToolCallFragment[][]) => {
  const assembly = new ToolCallAssembly();
  for (const chunk of chunks) assembly.add(chunk);
  return assembly.calls.map(({ name, arguments: args }) => `${name}${args}`);
};

it('numbered fragments of two calls are assembled in any order', () => {
  expect(
    assembled(
      [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }],
      [{ index: 1, id: 'b', function: { name: 'g', arguments: '(' } }],
      [
        { index: 0, function: { arguments: '(1' } },
        { index: 1, function: { arguments: '2)' } },
      ],
      [{ index: 0, function: { arguments: ')' } }],
    ),
  ).toEqual(['f(1)', 'g(2)']);
});

it('whole calls are kept apart though all have the number 0, or none', () => {
  const whole = (id: string, index?: number) => ({ index, id, function: { name: id, arguments: '()' } });
  expect(assembled([whole('a', 0)], [whole('b', 0)])).toEqual(['a()', 'b()']);
  expect(assembled([whole('a'), whole('b')])).toEqual(['a()', 'b()']);
});

it('fragments without number and id continue the last call', () => {
  expect(
    assembled(
      [{ id: 'a', function: { name: 'f', arguments: '(' } }],
      [{ function: { arguments: '1' } }],
      [{ function: { arguments: ')' } }],
    ),
  ).toEqual(['f(1)']);
});

it('calls without id are kept apart by their names and get generated ids', () => {
  const assembly = new ToolCallAssembly();
  assembly.add([{ function: { name: 'f', arguments: '()' } }, { function: { name: 'f', arguments: '(2)' } }]);
  const ids = assembly.calls.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(ids.every((id) => id.length > 0)).toBe(true);
});

it('extra_content stays with its call, also in a fragment of its own', () => {
  const assembly = new ToolCallAssembly();
  const signature = { google: { thought_signature: 'abc' } };
  assembly.add([{ id: 'a', function: { name: 'f', arguments: '()' } }]);
  assembly.add([{ extra_content: signature }]);
  expect(assembly.calls).toMatchObject([{ name: 'f', arguments: '()', extra: signature }]);
});
