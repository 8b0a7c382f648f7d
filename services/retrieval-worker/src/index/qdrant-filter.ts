import type { SearchFilters } from '@quire/shared/contracts';
import { normalisedPrefix } from './url-prefixes.js';

export function qdrantFilter({ module, url_prefix: prefix }: SearchFilters = {}) {
  const wanted = [
    ...(module === undefined ? [] : [{ key: 'module', match: { value: module } }]),
    ...(prefix === undefined ? [] : [{ key: 'url_prefixes', match: { value: normalisedPrefix(prefix) } }]),
  ];
  return { must: wanted };
}
