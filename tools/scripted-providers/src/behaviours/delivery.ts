import { z } from 'zod';

export const milliseconds = z.number().min(0).default(0);

/** How a JSON response reaches the client, in endpoints that do not stream. */
export const deliveryFields = {
  latencyMs: milliseconds,
  /** Destroys the socket half-way through the body. */
  cut: z.boolean().default(false),
  /** Never responds; the connection stays open until the client closes it. */
  stall: z.boolean().default(false),
};

export interface Delivery {
  latencyMs: number;
  cut: boolean;
  stall: boolean;
}
