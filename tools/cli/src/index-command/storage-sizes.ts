import type { QdrantClient } from '@qdrant/js-client-rest';
import { z } from 'zod';

const telemetrySchema = z.object({
  collections: z.object({
    collections: z.array(
      z.object({
        id: z.string(),
        shards: z.array(
          z.object({
            local: z.object({ vectors_size_bytes: z.number(), payloads_size_bytes: z.number() }).nullish(),
          }),
        ),
      }),
    ),
  }),
});

/** The lowest level at which Qdrant reports sizes of shards. */
const DETAILS_LEVEL = 6;

/** Bytes of vectors and payloads by collection; empty when Qdrant does not report them. */
export async function storageSizes(client: QdrantClient): Promise<Map<string, number>> {
  const response = await client
    .api()
    .telemetry({ details_level: DETAILS_LEVEL })
    .catch(() => undefined);
  const parsed = telemetrySchema.safeParse(response?.data.result);
  if (!parsed.success) return new Map();
  return new Map(
    parsed.data.collections.collections.map(({ id, shards }) => [
      id,
      shards.reduce(
        (sum, { local }) => sum + (local ? local.vectors_size_bytes + local.payloads_size_bytes : 0),
        0,
      ),
    ]),
  );
}
