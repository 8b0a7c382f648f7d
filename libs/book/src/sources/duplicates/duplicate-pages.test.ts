import type { Page } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { DuplicatePages } from './duplicate-pages.js';

function page(path: string, text: string, format: Page['format'] = 'markdown'): Page {
  return { path, text, format, layout: 'plain', base_url: 'https://book.example' };
}

/** Words that depend on the seed alone. */
function words(count: number, seed = 1): string[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return `w${state % 5000}`;
  });
}

/** The same words except some, spread evenly. */
function edited(text: readonly string[], edits: number): string {
  const every = Math.floor(text.length / edits);
  return text.map((word, i) => (i % every === 0 && i / every < edits ? `new${i}` : word)).join(' ');
}

it('a page duplicates the first one with the same text', () => {
  const pages = new DuplicatePages();
  expect(pages.check(page('a.md', 'Same'))).toBeUndefined();
  expect(pages.check(page('b.md', 'Same'))).toEqual({ of: 'a.md', kind: 'duplicate' });
  expect(pages.check(page('c.md', 'Same'))).toEqual({ of: 'a.md', kind: 'duplicate' });
  expect(pages.check(page('d.md', 'Other'))).toBeUndefined();
});

it('a page is a near-duplicate if a word in a thousand differs, but not if one in fifty does', () => {
  const text = words(1000);
  const pages = new DuplicatePages();
  expect(pages.check(page('a.md', text.join(' ')))).toBeUndefined();
  expect(pages.check(page('b.md', edited(text, 1)))).toEqual({ of: 'a.md', kind: 'near-duplicate' });
  expect(pages.check(page('c.md', edited(text, 20)))).toBeUndefined();
});

it('a duplicate of a duplicate refers to the original', () => {
  const text = words(1000);
  const pages = new DuplicatePages();
  pages.check(page('a.md', text.join(' ')));
  pages.check(page('b.md', edited(text, 1)));
  expect(pages.check(page('c.md', edited(text, 1)))).toEqual({ of: 'a.md', kind: 'duplicate' });
});

it('a page is a duplicate regardless of front matter, capitals and punctuation', () => {
  const text = words(100);
  const pages = new DuplicatePages();
  pages.check(page('a.md', `---\ntitle: A\ntags: [${words(200, 7).join()}]\n---\n${text.join(' ')}`));
  const second = page('b.md', `---\r\ntitle: B\r\n---\r\n${text.join(', ').toUpperCase()}!`);
  expect(pages.check(second)).toEqual({ of: 'a.md', kind: 'near-duplicate' });
});

it('a page does not duplicate a forgotten page', () => {
  const text = words(1000);
  const pages = new DuplicatePages();
  pages.check(page('a.md', text.join(' ')));
  pages.forget('a.md');
  expect(pages.check(page('b.md', text.join(' ')))).toBeUndefined();
  expect(pages.check(page('c.md', text.join(' ')))).toEqual({ of: 'b.md', kind: 'duplicate' });
  expect(pages.check(page('d.md', edited(text, 1)))).toEqual({ of: 'b.md', kind: 'near-duplicate' });
});

it('a page with the same words in another order is no duplicate', () => {
  const pages = new DuplicatePages();
  pages.check(page('a.md', words(500).join(' ')));
  expect(pages.check(page('b.md', words(500).reverse().join(' ')))).toBeUndefined();
});

it.each([
  [49, undefined],
  [50, { of: 'a.md', kind: 'near-duplicate' }],
])('a page is compared for near-duplicates from fifty words on: %d', (count, duplicate) => {
  const pages = new DuplicatePages();
  pages.check(page('a.md', words(count).join(' ')));
  expect(pages.check(page('b.md', words(count).join('  ')))).toEqual(duplicate);
});

it('duplicates are found in languages without spaces', () => {
  const text = words(300)
    .map((word) => String.fromCodePoint(0x4e00 + Number(word.slice(1))))
    .join('');
  const pages = new DuplicatePages();
  pages.check(page('a.md', text));
  expect(pages.check(page('b.md', `${text}。`))).toEqual({ of: 'a.md', kind: 'near-duplicate' });
});

const furniture = (id: string) =>
  `<nav>${words(2000, 3).join(' ')}</nav><script>var nonce = "${id.repeat(500)}"</script>`;
const shell = (id: string, content: string) =>
  `<html><body><div>${words(2000, 5).join(' ')}</div><main>${furniture(id)}${content}</main></body></html>`;

it('an HTML page is compared by its main part, without what every page of the site repeats', () => {
  const pages = new DuplicatePages();
  pages.check(page('a', shell('x', `<p>${words(60, 11).join(' ')}`), 'html'));
  expect(pages.check(page('b', shell('x', `<p>${words(60, 12).join(' ')}`), 'html'))).toBeUndefined();
  const third = page('c', shell('y', `<p class="other">${words(60, 11).join(' <i>')}`), 'html');
  expect(pages.check(third)).toEqual({ of: 'a', kind: 'near-duplicate' });
});

it('an HTML page without main part is compared as a whole, except its navigation', () => {
  const whole = (id: string, seed: number) =>
    `<header>${words(2000, 3).join(' ')}</header><p>${words(60, seed).join(' ')}</p><style>${id}</style>`;
  const pages = new DuplicatePages();
  pages.check(page('a', whole('x', 1), 'html'));
  expect(pages.check(page('b', whole('x', 2), 'html'))).toBeUndefined();
  expect(pages.check(page('c', whole('y', 1), 'html'))).toEqual({ of: 'a', kind: 'near-duplicate' });
});

it('a page that is nested too deeply to be compared is no duplicate', () => {
  const pages = new DuplicatePages();
  const deep = `${'<div>'.repeat(10_000)}<p>${words(100).join(' ')}`;
  expect(pages.check(page('a', deep, 'html'))).toBeUndefined();
  expect(pages.check(page('b', deep, 'html'))).toEqual({ of: 'a', kind: 'duplicate' });
});

it('two thousand similar pages are not near-duplicates of each other', () => {
  const common = words(200);
  const pages = new DuplicatePages();
  const found = Array.from({ length: 2000 }, (_, i) =>
    pages.check(page(`${i}.md`, [...common, ...words(40, i + 100)].join(' '))),
  );
  expect(found.filter((duplicate) => duplicate !== undefined)).toEqual([]);
});
