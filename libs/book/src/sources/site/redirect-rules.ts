import { UnreadablePage } from '../source-errors.js';
import { isSameHost, outsideReason } from './site-address.js';
import type { RobotRules } from './robot-rules.js';

/** Allows redirects on the same host. */
export function stayOnHost(from: URL): (to: URL) => void {
  return (to) => {
    if (!isSameHost(from, to)) throw redirectsTo(to, 'other host');
  };
}

/** Allows redirects to pages of the book that robots.txt allows. */
export function stayInBook(base: URL, robots: RobotRules): (to: URL) => void {
  return (to) => {
    const reason = outsideReason(to, base);
    if (reason !== undefined) throw redirectsTo(to, reason);
    if (!robots.allows(to)) throw redirectsTo(to, 'disallowed by robots.txt');
  };
}

function redirectsTo(to: URL, leftOut: NonNullable<UnreadablePage['leftOut']>): UnreadablePage {
  return new UnreadablePage(`Redirects to ${to.href} (${leftOut})`, { leftOut });
}
