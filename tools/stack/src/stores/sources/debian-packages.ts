import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * apt and dpkg used without installing anything and without root. Package lists of our own are fetched when the
 * system's are missing (fresh container images) or name versions the mirror no longer has.
 */
export class DebianPackages {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #ownLists = false;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = { ...env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  }

  async knows(name: string): Promise<boolean> {
    return await this.#apt('apt-cache', 'show', name).then(
      () => true,
      () => false,
    );
  }

  async refreshLists(): Promise<void> {
    this.#ownLists = true;
    await mkdir(join(this.#folder, 'lists', 'partial'), { recursive: true });
    await mkdir(join(this.#folder, 'cache', 'archives', 'partial'), { recursive: true });
    await this.#apt('apt-get', 'update', '-qq');
  }

  /** Direct library dependencies that this machine lacks. */
  async missingLibraries(name: string): Promise<string[]> {
    const listing = await this.#apt('apt-cache', 'depends', name);
    const libraries = [...listing.matchAll(/^\s*\|?(?:Pre)?Depends: (lib\S+)$/gm)].map(
      (match) => match[1] ?? '',
    );
    const installed = await Promise.all(libraries.map((library) => this.#isInstalled(library)));
    return libraries.filter((_, index) => !installed[index]);
  }

  async unpack(names: readonly string[], root: string): Promise<void> {
    const downloads = join(this.#folder, 'downloads', names.join('+'));
    await mkdir(downloads, { recursive: true });
    await this.#apt('apt-get', 'download', ...names);
    for (const file of await readdir(downloads)) await run('dpkg', ['-x', join(downloads, file), root]);
  }

  async #isInstalled(name: string): Promise<boolean> {
    return await run('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { env: this.#env }).then(
      ({ stdout }) => stdout.startsWith('installed'),
      () => false,
    );
  }

  async #apt(program: string, command: string, ...args: string[]): Promise<string> {
    const settings = [
      // As root apt downloads as `_apt`, who may not enter our folder: it warns and slows down.
      ...(process.getuid?.() === 0 ? ['APT::Sandbox::User=root'] : []),
      ...(this.#ownLists
        ? [`Dir::State::Lists=${join(this.#folder, 'lists')}`, `Dir::Cache=${join(this.#folder, 'cache')}`]
        : []),
      'Debug::NoLocking=1',
      'Acquire::Retries=2',
      'Acquire::http::Timeout=20',
    ].flatMap((setting) => ['-o', setting]);
    const cwd = command === 'download' ? join(this.#folder, 'downloads', args.join('+')) : this.#folder;
    const { stdout } = await run(program, [...settings, command, ...args], { cwd, env: this.#env });
    return stdout;
  }
}
