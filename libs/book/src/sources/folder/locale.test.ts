import { expect, it } from 'vitest';
import { isLocale } from './locale.js';

it.each(['de', 'fr', 'pt-BR', 'zh_CN', 'zh-Hans', 'uk', 'es-419'])('%s is a language', (name) => {
  expect(isLocale(name)).toBe(true);
});

it.each(['api', 'faq', 'guides', 'i18n-tutorial', 'x', 'setup.md', ''])('%s is no language', (name) => {
  expect(isLocale(name)).toBe(false);
});
