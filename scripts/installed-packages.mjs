import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './repository.mjs';

/**
 * Whether node_modules holds what package-lock.json asks for. npm keeps its own record of a finished install, which
 * is also right after a manual `npm install`, and absent after one that was interrupted.
 */
export function installMatchesLock() {
  const wanted = packagesIn('package-lock.json');
  const installed = packagesIn('node_modules/.package-lock.json');
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    // Packages for other platforms are optional and absent.
    return found ? found.version === entry.version : Boolean(entry.optional);
  });
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
