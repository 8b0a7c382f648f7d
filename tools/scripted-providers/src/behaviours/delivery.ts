import { z } from 'zod';

export const milliseconds = z.number().min(0).default(0);

/** How a whole JSON answer reaches the client; shared by the endpoints that do not stream. */
export const deliveryFields = {
  latencyMs: milliseconds,
  /** Destroys the socket half-way through the body. */
  cut: z.boolean().default(false),
  /** Never answers; the connection stays open until the client leaves. */
  stall: z.boolean().default(false),
};

export interface Delivery {
  latencyMs: number;
  cut: boolean;
  stall: boolean;
}
