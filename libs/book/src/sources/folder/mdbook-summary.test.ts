import { expect, it } from 'vitest';
import { readSummary } from './mdbook-summary.js';

it('chapters are the links of SUMMARY.md in order, numbered ones with their part', () => {
  const summary = `# Summary

[Preface](preface.md)

- [Start](start/README.md)

# *Part* One

- [Intro](./intro.md "a title")
  - [Deep](intro/deep.md#anchor)
- [Draft]()
- [Elsewhere](https://elsewhere.example/x.md)

# Part Two

- [With space](<with space.md>)
- [Encoded](with%20percent.md)
- [Intro again](intro.md)

---

[Appendix](appendix.md)
`;
  expect(readSummary(summary)).toEqual([
    { link: 'preface.md', part: undefined },
    { link: 'start/README.md', part: undefined },
    { link: 'intro.md', part: 'Part One' },
    { link: 'intro/deep.md', part: 'Part One' },
    { link: 'with space.md', part: 'Part Two' },
    { link: 'with%20percent.md', part: 'Part Two' },
    { link: 'appendix.md', part: undefined },
  ]);
});

it('links in code and comments of SUMMARY.md are no chapters', () => {
  expect(readSummary('- [A](a.md)\n\n`[B](b.md)`\n\n<!-- [C](c.md) -->\n\n    [D](d.md)\n')).toEqual([
    { link: 'a.md', part: undefined },
  ]);
});

it.each(['', '# Summary'])('a summary may be empty: %j', (text) => {
  expect(readSummary(text)).toEqual([]);
});
