/** How long a service that starts waits for stores that come up at the same time. */
export const STORE_START_LIMIT_MS = 30_000;
