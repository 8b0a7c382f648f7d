import { z } from 'zod';

const dependencyStatusSchema = z.object({
  status: z.enum(['up', 'down']).describe('`down` also if it responds but refuses writes'),
  latency_ms: z.number(),
  problem: z.string().optional().describe('Why it is `down`, in plain words'),
});

const indexStatusSchema = dependencyStatusSchema.extend({
  collection: z.string().optional(),
  points: z.int().optional(),
});
export type DependencyStatus = z.infer<typeof indexStatusSchema>;

export const modelStatusSchema = z.object({
  model: z.string(),
  state: z.enum(['closed', 'open', 'half_open']),
  reason: z.enum(['unavailable', 'rate_limited', 'misconfigured']).optional(),
  since: z.string().optional(),
  retry_at: z.string().optional(),
});

/** The response of `GET /health/live`: the process runs. */
export const livenessSchema = z.object({ status: z.literal('ok') });

/** The response of `GET /health/ready`: whether this gateway takes requests. */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  draining: z.boolean(),
  dependencies: z.object({ redis: dependencyStatusSchema, postgres: dependencyStatusSchema }),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** The response of `GET /health`; values from Redis are null while Redis is away. */
export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  dependencies: z.object({
    redis: dependencyStatusSchema,
    postgres: dependencyStatusSchema,
    qdrant: indexStatusSchema,
  }),
  workers: z.record(z.string(), z.int()).nullable().describe('Live processes by kind'),
  models: z.object({
    status: z
      .enum(['ok', 'degraded', 'unavailable', 'misconfigured', 'not_configured', 'unknown'])
      .describe('`degraded`: a model other than the first is used; `unknown`: no agent worker is live'),
    chain: z.array(modelStatusSchema),
  }),
  queues: z.record(z.string(), z.record(z.string(), z.int())).nullable().describe('Jobs by queue and state'),
});
export type Health = z.infer<typeof healthSchema>;
