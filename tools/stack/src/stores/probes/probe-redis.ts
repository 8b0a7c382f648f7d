import { Redis } from 'ioredis';

/** Rejects unless the server answers PING; one that still loads its data does not. */
export async function probeRedis(url: string, timeoutMs = 2_000): Promise<void> {
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  // The command's own error is only 'Connection is closed.'.
  client.on('error', (error) => (reason = error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw reason ?? error;
  } finally {
    client.disconnect();
  }
}
