import type { QdrantClient } from '@qdrant/js-client-rest';
import { ForeignCollection, statusOf } from '@quire/shared/qdrant';
import type { Surroundings } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { openQdrant, qdrantAddress, withoutPassword } from '../connections.js';

/** Gives `work` the Qdrant of a running Quire; its errors become sentences. */
export async function withQdrant<T>(
  surroundings: Surroundings,
  work: (client: QdrantClient) => Promise<T>,
): Promise<T> {
  const address = await qdrantAddress(surroundings);
  try {
    return await work(openQdrant(address));
  } catch (error) {
    throw asFailure(error, withoutPassword(address.url));
  }
}

function asFailure(error: unknown, url: string): unknown {
  if (error instanceof CommandFailure) return error;
  if (error instanceof ForeignCollection) return new CommandFailure(error.message);
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return new CommandFailure(`Qdrant at ${url} does not accept the API key: check QDRANT_API_KEY.`);
  }
  if (status !== undefined) return new CommandFailure(`Qdrant at ${url} answered with an error (${status}).`);
  return isAway(error) ? new CommandFailure(`Qdrant does not answer at ${url}: is it running?`) : error;
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // undici hides the reason in the cause.
  return error.message === 'fetch failed' || error.name === 'QdrantClientTimeoutError';
}
