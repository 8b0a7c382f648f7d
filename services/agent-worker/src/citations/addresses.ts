/** An address that Markdown leaves as it is: without emphasis marks, escapes or entities. */
const writable = /^https?:\/\/[\w.-]+(?::\d+)?(?:[/?#](?:[\w./:#%?=+~,@;!-]|&(?!#|\w+;))*)?$/;

/** The link targets that an answer may contain: the addresses of its passages. */
export interface Addresses {
  has(address: string): boolean;
  /** Whether one of the addresses starts like this. */
  startWith(prefix: string): boolean;
}

export const NO_ADDRESSES: Addresses = { has: () => false, startWith: () => false };

/** The addresses of the sources, with and without fragment. Evaluated at each call, because searches add sources. */
export function addressesOf(sources: () => readonly string[]): Addresses {
  const all = () =>
    sources().flatMap((source) =>
      [source, source.replace(/#.*$/s, '')].filter((each) => writable.test(each)),
    );
  return {
    has: (address) => all().includes(address),
    startWith: (prefix) => all().some((address) => address.startsWith(prefix)),
  };
}
