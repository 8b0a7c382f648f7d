/** A chunk's URL without the anchor. */
export const pageUrlOf = (url: string): string => url.split('#', 1).join();
