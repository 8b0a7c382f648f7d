import { z } from 'zod';

export const errorSchema = z.strictObject({
  kind: z.literal('error'),
  status: z.int().min(400).max(599),
  code: z.string().optional(),
  message: z.string().optional(),
  retryAfterSeconds: z.number().min(0).optional(),
  /** Sent instead of the protocol's error envelope, as by a proxy in front of a provider. */
  body: z.string().optional(),
});

export const refuseSchema = z.strictObject({ kind: z.literal('refuse') });

export type ErrorBehaviour = z.infer<typeof errorSchema>;
export type RefuseBehaviour = z.infer<typeof refuseSchema>;
export type Fault = ErrorBehaviour | RefuseBehaviour;

/** An HTTP error in the protocol's envelope. */
export function failWith(
  status: number,
  options: Omit<ErrorBehaviour, 'kind' | 'status'> = {},
): ErrorBehaviour {
  return { kind: 'error', status, ...options };
}

/** Destroys the connection before any response header is sent. */
export function refuse(): RefuseBehaviour {
  return { kind: 'refuse' };
}

export function isFault(behaviour: { kind: string }): behaviour is Fault {
  return behaviour.kind === 'error' || behaviour.kind === 'refuse';
}
