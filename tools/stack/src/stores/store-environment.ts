/** Stores get a bare environment: they need none of the user's, and API keys live there. */
export function storeEnvironment(additions: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C', LC_ALL: 'C', TZ: 'UTC', ...additions };
}
