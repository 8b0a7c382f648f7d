import { z } from 'zod';
import { errorCodeSchema } from '../errors/error-codes.js';
import { chatResponseSchema, tokensUsedSchema } from './chat-response.contract.js';
import { confidenceLevelSchema } from './confidence.contract.js';
import { retrievedSourceSchema } from './source.contract.js';

export const runStateSchema = z.enum([
  'queued',
  'retrieving',
  'generating',
  'completed',
  'failed',
  'cancelled',
]);
export type RunState = z.infer<typeof runStateSchema>;

/** The states of a run that has not ended. */
export const liveRunStateSchema = runStateSchema.exclude(['completed', 'failed', 'cancelled']);
export type LiveRunState = z.infer<typeof liveRunStateSchema>;

const about = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ request_id: z.uuid(), ...shape });

const queued = z.object({ type: z.literal('queued'), data: about({ position: z.int().min(1) }) });
const status = z.object({ type: z.literal('status'), data: about({ state: runStateSchema }) });
const retrieval = z.object({
  type: z.literal('retrieval'),
  data: about({
    sources: z.array(retrievedSourceSchema),
    confidence: z.number(),
    confidence_level: confidenceLevelSchema,
    should_answer: z.boolean(),
    degraded_reason: z.string().optional(),
  }),
});
const delta = z.object({ type: z.literal('delta'), data: about({ text: z.string() }) });
const reset = z.object({ type: z.literal('reset'), data: about({ attempt: z.int(), reason: z.string() }) });
const completed = z.object({ type: z.literal('completed'), data: chatResponseSchema });
export const runFailureSchema = about({
  error_code: errorCodeSchema,
  message: z.string(),
  retry_after: z.int().optional().describe('Seconds after which another try may succeed'),
});
const failed = z.object({ type: z.literal('failed'), data: runFailureSchema });
const cancelled = z.object({ type: z.literal('cancelled'), data: about({ tokens_used: tokensUsedSchema }) });

/** Every event of a run: `type` is the SSE event name, `data` its JSON. Clients ignore types they do not know. */
export const runEventSchema = z.discriminatedUnion('type', [
  queued,
  status,
  retrieval,
  delta,
  reset,
  completed,
  failed,
  cancelled,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
export type RunEventType = RunEvent['type'];

/** A run's outcome; committed to Postgres before it is announced. */
export const runOutcomeSchema = z.discriminatedUnion('type', [completed, failed, cancelled]);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

const terminalTypes: ReadonlySet<string> = new Set(runOutcomeSchema.options.map((o) => o.shape.type.value));

export function isTerminalType(type: string): type is RunOutcome['type'] {
  return terminalTypes.has(type);
}
