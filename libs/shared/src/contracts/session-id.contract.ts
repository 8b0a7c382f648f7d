import { z } from 'zod';

/** RFC 9562, any version; unlike zod's own schema it excludes the nil and the max UUID. */
const ANY_VERSION =
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

/**
 * A thread's id, chosen by the caller. The nil and the max UUID are refused as unset variables: all clients with that
 * mistake would share one thread. Lower case, as Postgres stores it, so that keys in Redis match.
 */
export const sessionIdSchema = z
  .uuid()
  .toLowerCase()
  .refine((id) => !/^([0-]+|[f-]+)$/.test(id), { error: 'must not be the nil or the max UUID' })
  .meta({ pattern: ANY_VERSION.source });
