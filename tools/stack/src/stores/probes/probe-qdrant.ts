/** Rejects unless all shards are ready to serve. */
export async function probeQdrant(url: string, timeoutMs = 2_000, apiKey?: string): Promise<void> {
  const response = await fetch(new URL('/readyz', url), {
    signal: AbortSignal.timeout(timeoutMs),
    // A connection kept alive would hold up the server's graceful stop.
    headers: { connection: 'close', ...(apiKey ? { 'api-key': apiKey } : {}) },
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`GET /readyz answered ${response.status}`);
}
