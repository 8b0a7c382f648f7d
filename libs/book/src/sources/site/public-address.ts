import ipaddr from 'ipaddr.js';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { UnreadablePage } from '../source-errors.js';
import type { ResolveHost } from './site-options.js';

/** A page on a private network must not reach the index because a public name or redirect points to it. */
export class PrivateAddress extends UnreadablePage {
  constructor(host: string, address: string) {
    super(host === address ? `${host} is a private address` : `${host} has the private address ${address}`);
  }
}

const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** A public address, but in Azure it leads to services of the machine's host. */
const hostServices = new Set(['168.63.129.16']);

export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // Turns ::ffff:10.0.0.1 into 10.0.0.1.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || hostServices.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

/** Checks hosts that are addresses, which are not looked up; `URL` has normalized spellings like 0x7f.1. */
export function refusePrivateLiteral({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw new PrivateAddress(host, host);
}

/** A lookup for the connection itself, so that a name cannot change its address after the check. */
export function lookupWith(resolve: ResolveHost, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    const checked = async () => {
      const addresses = await resolve(hostname);
      const refused = allowPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
      if (refused) throw new PrivateAddress(hostname, refused.address);
      const [first] = addresses;
      if (first === undefined) throw new Error(`${hostname} has no address`);
      return { addresses, first };
    };
    callbackify(checked)((error: NodeJS.ErrnoException | null, found) => {
      if (error) callback(error, []);
      else if (options.all) callback(null, found.addresses);
      else callback(null, found.first.address, found.first.family);
    });
  };
}
