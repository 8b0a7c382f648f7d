import { expect, test } from 'vitest';
import { isLocale } from './locale.js';

test.each(['de', 'fr', 'pt-BR', 'zh_CN', 'zh-Hans', 'uk', 'es-419'])('%s is a language', (name) => {
  expect(isLocale(name)).toBe(true);
});

test.each(['api', 'faq', 'guides', 'i18n-tutorial', 'x', 'setup.md', ''])('%s is no language', (name) => {
  expect(isLocale(name)).toBe(false);
});
