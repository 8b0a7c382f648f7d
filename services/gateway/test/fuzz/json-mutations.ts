import fc from 'fast-check';

/** Text that has broken programs before. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', '\u0000', '\ud800', 'a\udfffb', '\ufeff', '\u202e', '%00', '../../etc/passwd'),
  fc.constantFrom('__proto__', 'constructor', 'null', '\r\nset-cookie: a=b', '${7*7}', "' OR 1=1 --", '[1]'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 2000 }))
    .map(([s, n]) => s.repeat(n)),
);

/** Text that a client can send in a header; other bytes are in `raw-bytes.ts`. */
export const headerText: fc.Arbitrary<string> = oddText.map((text) =>
  text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 300),
);

const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 11, 0.5, 1e308, 2 ** 53, -(2 ** 63), 1e-320),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const deep = fc.tuple(fc.integer({ min: 5, max: 3000 }), fc.boolean()).map(([levels, array]) => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i += 1) value = array ? [value] : { a: value };
  return value;
});

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false, [], {}),
  fc.array(oddText, { maxLength: 5 }),
  fc.dictionary(oddText, fc.oneof(oddText, oddNumber), { maxKeys: 5, noNullPrototype: true }),
  fc.jsonValue({ maxDepth: 4 }),
  { arbitrary: deep, weight: 1 },
);

type Fields = Record<string, unknown>;
export type Mutation = (body: Fields) => unknown;

/** A change to a valid body: a field that is missing, of another type, misspelt or unknown; or another body. */
export function mutation(fields: readonly string[]): fc.Arbitrary<Mutation> {
  const field = fc.constantFrom(...fields);
  return fc.oneof(
    fc.tuple(field, oddValue).map(([name, value]): Mutation => (body) => ({ ...body, [name]: value })),
    field.map(
      (name): Mutation =>
        ({ [name]: _gone, ...rest }) =>
          rest,
    ),
    fc.tuple(oddText, oddValue).map(([name, value]): Mutation => (body) => ({ ...body, [name]: value })),
    fc
      .tuple(field, fc.constantFrom('Text', 's', '_', ' '))
      .map(([name, more]): Mutation => ({ [name]: value, ...rest }) => ({ ...rest, [name + more]: value })),
    oddValue.map(
      (value): Mutation =>
        () =>
          value,
    ),
  );
}

export type TextMutation = (json: string) => Buffer;

const changeText =
  (change: (json: string) => string): TextMutation =>
  (json) =>
    Buffer.from(change(json));

/** A change to the bytes of JSON; mostly none. */
export const textMutation: fc.Arbitrary<TextMutation> = fc.oneof(
  { arbitrary: fc.constant<TextMutation>((json) => Buffer.from(json)), weight: 24 },
  fc.nat().map((at) => changeText((json) => json.slice(0, at % (json.length + 1)))),
  fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([at, byte]): TextMutation => (json) => {
    const bytes = Buffer.from(json);
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  }),
  fc.constantFrom(
    changeText((json) => `\ufeff${json}`),
    changeText((json) => json + json),
    changeText((json) => `${json},`),
    changeText((json) => json.replace('{', '{"message":"twice","__proto__":{},')),
    changeText((json) => json.replaceAll('"', "'")),
    changeText(() => 'NaN'),
    changeText((json) => `{"message":"${'x'.repeat(270_000)}"}${json}`),
    (json: string) => Buffer.from(json, 'utf16le'),
    (json: string) => Buffer.from(json, 'latin1'),
  ),
);
