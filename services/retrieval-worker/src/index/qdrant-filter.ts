import type { SearchFilters } from '@quire/shared/contracts';
import { normalisedPrefix } from './url-prefixes.js';

export function qdrantFilter(
  { module, url_prefix: prefix }: SearchFilters = {},
  exceptTexts: readonly string[] = [],
) {
  const wanted = [
    ...(module === undefined ? [] : [{ key: 'module', match: { value: module } }]),
    ...(prefix === undefined ? [] : [{ key: 'url_prefixes', match: { value: normalisedPrefix(prefix) } }]),
  ];
  const unwanted =
    exceptTexts.length === 0 ? [] : [{ key: 'content_hash', match: { any: [...exceptTexts] } }];
  return { must: wanted, must_not: unwanted };
}
