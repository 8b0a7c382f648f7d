import {
  apiKeyScopes,
  apiKeySecretSchema,
  hashApiKey,
  makeApiKey,
  visiblePrefix,
  type ApiKeyScope,
} from '@quire/shared/api-keys';
import {
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  type ApiKeyRights,
  type Database,
} from '@quire/shared/database';
import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext, Surroundings } from '../command-context.js';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { checked } from '../connections.js';
import { withDatabase } from '../database-access.js';
import { duration, numberFrom } from '../option-values.js';
import { keyJson, keysText, shortTime } from './key-report.js';

const EXAMPLES = `
Examples:
  quire keys create --tenant acme --name "web site"
  quire keys create --tenant acme --name ops --scopes chat,admin --expires 90d
  quire keys list --tenant acme
  quire keys rotate qk_0a1b2c3d4e5f --grace 1h
  quire keys revoke qk_0a1b2c3d4e5f

Keys are in the database of DATABASE_URL (or of the running stack). API_KEY_SECRET must be that of the gateways.
`;

const MOST_PER_MINUTE = 1_000_000;
const MOST_AT_ONCE = 100_000;
const DAY_MS = 86_400_000;

interface CreateOptions {
  tenant: string;
  name: string;
  scopes: ApiKeyScope[];
  rate?: number;
  concurrent?: number;
  expires?: number;
  json?: boolean;
}

export function keysCommand(context: CommandContext): Command {
  const { terminal } = context;
  const print = (value: unknown) => terminal.write(`${JSON.stringify(value)}\n`);
  const withKeys = <T>(work: (db: Database) => Promise<T>) => withDatabase(context, work, { migrated: true });
  const newKey = () => {
    const secret = apiKeySecret(context);
    const { key, prefix } = makeApiKey();
    return { key, stored: { prefix, hash: hashApiKey(key, secret) } };
  };
  /** Prints the key alone to stdout, so that it can be piped. */
  const show = (key: string, note: string) => {
    terminal.note(`${note}\n`);
    terminal.write(`${key}\n`);
    terminal.note('Keep it: it is not shown again.\n');
  };

  const create = async ({ tenant, name, scopes, rate, concurrent, expires, json }: CreateOptions) => {
    const { key, stored } = newKey();
    const rights: ApiKeyRights = {
      tenant,
      name,
      scopes,
      ratePerMinute: rate ?? null,
      maxConcurrent: concurrent ?? null,
      expiresAt: expires === undefined ? null : new Date(Date.now() + expires),
    };
    const made = await withKeys((db) => insertApiKey(db, rights, stored));
    if (json) print({ ...keyJson(made), key });
    else show(key, `The key of ${tenant} for ${name}:`);
  };
  const list = async ({ tenant, json }: { tenant?: string; json?: boolean }) => {
    const keys = await withKeys((db) => listApiKeys(db, tenant));
    if (json) print(keys.map((each) => keyJson(each)));
    else terminal.write(keysText(keys));
  };
  const revoke = async (key: string, { json }: { json?: boolean }) => {
    const prefix = prefixIn(key);
    const revoked = await withKeys((db) => revokeApiKey(db, prefix));
    if (!revoked) throw new CommandFailure(`There is no key ${prefix}.`);
    if (json) print(keyJson(revoked));
    else terminal.write(`${prefix} is revoked; gateways accept it for up to 10 more seconds.\n`);
  };
  const rotate = async (oldKey: string, { grace, json }: { grace: number; json?: boolean }) => {
    const prefix = prefixIn(oldKey);
    const { key, stored } = newKey();
    const rotated = await withKeys((db) => rotateApiKey(db, prefix, stored, grace));
    if (!rotated) throw new CommandFailure(`There is no valid key ${prefix}.`);
    const { made, old } = rotated;
    if (json) return print({ ...keyJson(made), key, replaces: keyJson(old) });
    const until = old.expiresAt ? shortTime(old.expiresAt) : 'never';
    show(key, `${prefix} is valid until ${until} (UTC). The new key:`);
  };

  const withJson = (command: Command) => command.option('--json', 'print it as JSON');
  return new Command('keys')
    .summary('manage API keys: create, list, revoke, rotate')
    .description('Manages the API keys that the gateways require.')
    .addHelpText('after', EXAMPLES)
    .addCommand(
      withJson(new Command('create'))
        .description('make a key; it is shown once')
        .requiredOption('--tenant <name>', 'whose threads and runs it sees', identifier)
        .requiredOption('--name <text>', 'what it is for', identifier)
        .option('--scopes <list>', 'chat, admin, or both with a comma', scopeList, ['chat'])
        .option(
          '--rate <number>',
          'requests a minute (default: the gateway’s)',
          numberFrom(1, MOST_PER_MINUTE),
        )
        .option(
          '--concurrent <number>',
          'questions and searches at once (default: the gateway’s)',
          numberFrom(1, MOST_AT_ONCE),
        )
        .option('--expires <time>', 'how long it is valid: 90d, 12h, 30m (default: for ever)', duration)
        .action(create),
    )
    .addCommand(
      withJson(new Command('list'))
        .description('show the keys by their prefixes, with rights and state')
        .option('--tenant <name>', 'only those of this tenant')
        .action(list),
    )
    .addCommand(
      withJson(new Command('revoke'))
        .description('end a key for good')
        .argument('<key>', 'its prefix, as shown by list, or the whole key')
        .action(revoke),
    )
    .addCommand(
      withJson(new Command('rotate'))
        .description('make a key with the same rights, and let the old one expire')
        .argument('<key>', 'the old one’s prefix, as shown by list, or the whole key')
        .option('--grace <time>', 'how long the old one stays valid: 90d, 12h, 30m', duration, DAY_MS)
        .action(rotate),
    );
}

/** Accepts whole keys, too, as an operator has them when one has leaked; the argument is never printed. */
function prefixIn(given: string): string {
  const prefix = visiblePrefix(given);
  if (prefix !== undefined) return prefix;
  throw new CommandFailure('Give a key or its prefix, like qk_0a1b2c3d4e5f.', exitCodes.usage);
}

function scopeList(text: string): ApiKeyScope[] {
  const scopes = [...new Set(text.split(',').map((scope) => scope.trim()))];
  const known = scopes.filter((scope): scope is ApiKeyScope => apiKeyScopes.some((each) => each === scope));
  if (known.length === scopes.length) return known;
  throw new InvalidArgumentError('It must be chat, admin or chat,admin.');
}

function identifier(text: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,99}$/u.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 100 letters, digits, spaces and . _ @ -');
}

/** Must be the secret of the gateways: with another one they would not know the key. */
function apiKeySecret({ env: { API_KEY_SECRET: secret } }: Surroundings): string {
  if (secret) return checked(apiKeySecretSchema, secret, 'API_KEY_SECRET');
  throw new CommandFailure(
    "Set API_KEY_SECRET to the gateways' secret (for a new one: `openssl rand -base64 32`).",
  );
}
