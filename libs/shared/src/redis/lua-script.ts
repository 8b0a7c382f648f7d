import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

type Command<Reply> = (keys: number, ...keysAndArguments: (string | number)[]) => Promise<Reply>;

const INCLUDE = /^--- @include (<)?([\w/-]+\.lua)>?$/gm;

/**
 * A Lua script in a `.lua` file beside the module that uses it. The file's header types KEYS, ARGV and the reply.
 * A line `--- @include file.lua` stands for a file beside it, `--- @include <file.lua>` for one beside this module.
 */
export class LuaScript<Reply> {
  /** The name of the script among the commands of a connection. */
  private readonly command: string;
  private readonly lua: string;

  constructor(file: URL) {
    this.command = file.href;
    this.lua = source(file);
  }

  /** Runs the script on a connection, which sends its text once and its hash from then on. */
  run(redis: Redis, keys: readonly string[], args: readonly (string | number)[] = []): Promise<Reply> {
    if (!(this.command in redis)) redis.defineCommand(this.command, { lua: this.lua });
    const command = (redis as unknown as Record<string, Command<Reply>>)[this.command] as Command<Reply>;
    return command.call(redis, keys.length, ...keys, ...args);
  }
}

function source(file: URL): string {
  return readFileSync(file, 'utf8').replaceAll(INCLUDE, (_line, isShared: string | undefined, name: string) =>
    source(new URL(name, isShared ? import.meta.url : file)),
  );
}
