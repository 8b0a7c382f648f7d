import { cpSync } from 'node:fs';

// Copies the Lua scripts of packages from `src` to `dist`, where the compiled modules read them.
for (const folder of process.argv.slice(2)) {
  cpSync(`${folder}/src`, `${folder}/dist`, {
    recursive: true,
    filter: (source) => !/\.[^./]+$/.test(source) || source.endsWith('.lua'),
  });
}
