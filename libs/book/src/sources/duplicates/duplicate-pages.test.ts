import type { Page } from '@quire/shared/contracts';
import { describe, expect, test } from 'vitest';
import { DuplicatePages } from './duplicate-pages.js';

function page(path: string, text: string, format: Page['format'] = 'markdown'): Page {
  return { path, text, format, layout: 'plain', base_url: 'https://book.example' };
}

/** Words that are the same in every run, and others for every seed. */
function words(count: number, seed = 1): string[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return `w${state % 5000}`;
  });
}

/** The same words but for some, spread evenly. */
function edited(text: readonly string[], edits: number): string {
  const every = Math.floor(text.length / edits);
  return text.map((word, i) => (i % every === 0 && i / every < edits ? `new${i}` : word)).join(' ');
}

describe('a page is a duplicate', () => {
  test('of the first one that has the same text', () => {
    const pages = new DuplicatePages();
    expect(pages.check(page('a.md', 'Same'))).toBeUndefined();
    expect(pages.check(page('b.md', 'Same'))).toEqual({ of: 'a.md', kind: 'duplicate' });
    expect(pages.check(page('c.md', 'Same'))).toEqual({ of: 'a.md', kind: 'duplicate' });
    expect(pages.check(page('d.md', 'Other'))).toBeUndefined();
  });

  test('nearly, if a word in a thousand differs, but not if one in fifty does', () => {
    const text = words(1000);
    const pages = new DuplicatePages();
    expect(pages.check(page('a.md', text.join(' ')))).toBeUndefined();
    expect(pages.check(page('b.md', edited(text, 1)))).toEqual({ of: 'a.md', kind: 'near-duplicate' });
    expect(pages.check(page('c.md', edited(text, 20)))).toBeUndefined();
  });

  test('whose twin is one of the page that came first, too', () => {
    const text = words(1000);
    const pages = new DuplicatePages();
    pages.check(page('a.md', text.join(' ')));
    pages.check(page('b.md', edited(text, 1)));
    expect(pages.check(page('c.md', edited(text, 1)))).toEqual({ of: 'a.md', kind: 'duplicate' });
  });

  test('whatever its front matter, capitals and punctuation', () => {
    const text = words(100);
    const pages = new DuplicatePages();
    pages.check(page('a.md', `---\ntitle: A\ntags: [${words(200, 7).join()}]\n---\n${text.join(' ')}`));
    const second = page('b.md', `---\r\ntitle: B\r\n---\r\n${text.join(', ').toUpperCase()}!`);
    expect(pages.check(second)).toEqual({ of: 'a.md', kind: 'near-duplicate' });
  });

  test('of no page that was forgotten', () => {
    const text = words(1000);
    const pages = new DuplicatePages();
    pages.check(page('a.md', text.join(' ')));
    pages.forget('a.md');
    expect(pages.check(page('b.md', text.join(' ')))).toBeUndefined();
    expect(pages.check(page('c.md', text.join(' ')))).toEqual({ of: 'b.md', kind: 'duplicate' });
    expect(pages.check(page('d.md', edited(text, 1)))).toEqual({ of: 'b.md', kind: 'near-duplicate' });
  });

  test('only of pages with the same order of words', () => {
    const pages = new DuplicatePages();
    pages.check(page('a.md', words(500).join(' ')));
    expect(pages.check(page('b.md', words(500).reverse().join(' ')))).toBeUndefined();
  });

  test.each([
    [49, undefined],
    [50, { of: 'a.md', kind: 'near-duplicate' }],
  ])('nearly, if it has fifty words: %d', (count, duplicate) => {
    const pages = new DuplicatePages();
    pages.check(page('a.md', words(count).join(' ')));
    expect(pages.check(page('b.md', words(count).join('  ')))).toEqual(duplicate);
  });

  test('in languages that set no spaces between words', () => {
    const text = words(300)
      .map((word) => String.fromCodePoint(0x4e00 + Number(word.slice(1))))
      .join('');
    const pages = new DuplicatePages();
    pages.check(page('a.md', text));
    expect(pages.check(page('b.md', `${text}。`))).toEqual({ of: 'a.md', kind: 'near-duplicate' });
  });
});

describe('an HTML page', () => {
  const furniture = (id: string) =>
    `<nav>${words(2000, 3).join(' ')}</nav><script>var nonce = "${id.repeat(500)}"</script>`;
  const shell = (id: string, content: string) =>
    `<html><body><div>${words(2000, 5).join(' ')}</div><main>${furniture(id)}${content}</main></body></html>`;

  test('is compared by what its main part says, not by what every page of the site repeats', () => {
    const pages = new DuplicatePages();
    pages.check(page('a', shell('x', `<p>${words(60, 11).join(' ')}`), 'html'));
    expect(pages.check(page('b', shell('x', `<p>${words(60, 12).join(' ')}`), 'html'))).toBeUndefined();
    const third = page('c', shell('y', `<p class="other">${words(60, 11).join(' <i>')}`), 'html');
    expect(pages.check(third)).toEqual({ of: 'a', kind: 'near-duplicate' });
  });

  test('without main part is compared as a whole, but for its navigation', () => {
    const whole = (id: string, seed: number) =>
      `<header>${words(2000, 3).join(' ')}</header><p>${words(60, seed).join(' ')}</p><style>${id}</style>`;
    const pages = new DuplicatePages();
    pages.check(page('a', whole('x', 1), 'html'));
    expect(pages.check(page('b', whole('x', 2), 'html'))).toBeUndefined();
    expect(pages.check(page('c', whole('y', 1), 'html'))).toEqual({ of: 'a', kind: 'near-duplicate' });
  });
});

test('a page that is nested too deeply to be compared is its own', () => {
  const pages = new DuplicatePages();
  const deep = `${'<div>'.repeat(10_000)}<p>${words(100).join(' ')}`;
  expect(pages.check(page('a', deep, 'html'))).toBeUndefined();
  expect(pages.check(page('b', deep, 'html'))).toEqual({ of: 'a', kind: 'duplicate' });
});

test('two thousand pages that are alike, but not enough, are each their own', () => {
  const common = words(200);
  const pages = new DuplicatePages();
  const found = Array.from({ length: 2000 }, (_, i) =>
    pages.check(page(`${i}.md`, [...common, ...words(40, i + 100)].join(' '))),
  );
  expect(found.filter((duplicate) => duplicate !== undefined)).toEqual([]);
});
