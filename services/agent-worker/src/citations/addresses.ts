/** Only such an address can be written into Markdown as it stands: no mark, escape or entity in it. */
const writable = /^https?:\/\/[\w.-]+(?::\d+)?(?:[/?#](?:[\w./:#%?=+~,@;!-]|&(?!#|\w+;))*)?$/;

/** Where an answer may lead: the addresses of its passages. */
export interface Addresses {
  has(address: string): boolean;
  /** Whether one of them begins so. */
  begin(start: string): boolean;
}

export const NO_ADDRESSES: Addresses = { has: () => false, begin: () => false };

/** The addresses of sources, with and without their fragments; `sources` may grow. */
export function addressesOf(sources: () => readonly string[]): Addresses {
  const all = () =>
    sources().flatMap((source) =>
      [source, source.replace(/#.*$/s, '')].filter((each) => writable.test(each)),
    );
  return {
    has: (address) => all().includes(address),
    begin: (start) => all().some((address) => address.startsWith(start)),
  };
}
