import type { RoutingDependencies } from '../src/http/mount-routes.js';
import { freePermit } from '../src/limits/limits.js';

/** Grants everything. */
export const noLimits: RoutingDependencies['limits'] = {
  counting: (_res, work) => work(),
  enter: () => Promise.resolve(freePermit),
};
