const digits = new Intl.NumberFormat('en-US');

/** `1204` → `1,204` */
export const grouped = (count: number) => digits.format(count);

/** `1` → `1 page`, `1204` → `1,204 pages` */
export const counted = (count: number, thing: string) =>
  `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
