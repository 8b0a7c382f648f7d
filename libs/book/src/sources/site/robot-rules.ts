import robotsParser from 'robots-parser';

const ROBOT = 'Quire';
const LONGEST_DELAY_MS = 10_000;

/** The rules of a site's robots.txt. */
export interface RobotRules {
  allows(url: URL): boolean;
  /** The pause between two requests. */
  delayMs: number;
  sitemaps: URL[];
}

// The package exports the function itself; its types declare a default export that does not exist.
const parse = robotsParser as unknown as typeof robotsParser.default;

export function readRobotRules(address: URL, text: string): RobotRules {
  const robots = parse(address.href, text);
  const delayMs = (robots.getCrawlDelay(ROBOT) ?? 0) * 1000;
  return {
    // The same rules apply to http and https; the parser would ignore the other protocol.
    allows: ({ pathname, search }) =>
      robots.isAllowed(new URL(pathname + search, address).href, ROBOT) !== false,
    delayMs: Math.min(Math.max(delayMs, 0), LONGEST_DELAY_MS),
    sitemaps: robots.getSitemaps().flatMap((link) => {
      return URL.canParse(link, address.href) ? [new URL(link, address)] : [];
    }),
  };
}
