import { UnreadablePage, UnusableSource } from '../source-errors.js';
import type { Fetched } from './follow-redirects.js';
import { PrivateAddress } from './public-address.js';
import { stayOnHost } from './redirect-rules.js';
import { readRobotRules, type RobotRules } from './robot-rules.js';
import type { SiteClient } from './site-client.js';

const MAX_BYTES = 1024 * 1024;

/** A site without robots.txt allows everything; one whose robots.txt fails allows nothing (RFC 9309, 2.3.1). */
export async function fetchRobotRules(client: SiteClient, base: URL): Promise<RobotRules> {
  const address = new URL('/robots.txt', base);
  const { status, bytes } = await fetchRobots(client, address);
  if (status === 200) return readRobotRules(address, new TextDecoder().decode(bytes));
  if (status >= 400 && status < 500 && status !== 429) return readRobotRules(address, '');
  throw new UnusableSource(
    `${address.href} responds with HTTP ${status}: nothing may be read. Try again later.`,
  );
}

async function fetchRobots(client: SiteClient, address: URL): Promise<Fetched> {
  try {
    return await client.get(address, { maxBytes: MAX_BYTES, checkRedirect: stayOnHost(address) });
  } catch (error) {
    if (error instanceof PrivateAddress) {
      throw new UnusableSource(`${error.message}. Allow private addresses if this is intended.`, {
        cause: error,
      });
    }
    if (!(error instanceof UnreadablePage)) throw error;
    const remedy = error.leftOut === 'other host' ? 'Give the address that it redirects to' : 'Try it later';
    throw new UnusableSource(`${address.href}: ${error.message}. ${remedy}.`, { cause: error });
  }
}
