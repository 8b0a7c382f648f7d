export interface Random {
  /** From 0 up to, but not including, `below`. */
  integer(below: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/** mulberry32: the same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return { integer, pick: (from) => from[integer(from.length)] ?? from[0] };
}
