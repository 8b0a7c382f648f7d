import { chatGroup } from './chat/chat.routes.js';
import { docsGroup } from './docs/docs.routes.js';
import { feedbackGroup } from './feedback/feedback.routes.js';
import { healthGroup } from './health/health.routes.js';
import type { Route, RouteGroup } from './http/route.js';
import { searchGroup } from './search/search.routes.js';
import { threadsGroup } from './threads/threads.routes.js';

type DependenciesOf<G> = G extends RouteGroup<infer Deps> ? Deps : never;

/** What the handlers of all routes need. */
export type RouteDependencies = DependenciesOf<typeof chatGroup> &
  DependenciesOf<typeof searchGroup> &
  DependenciesOf<typeof threadsGroup> &
  DependenciesOf<typeof feedbackGroup> &
  DependenciesOf<typeof healthGroup> &
  DependenciesOf<typeof docsGroup>;

/** Every route of the gateway, in the order of the OpenAPI document. */
export const routeGroups: readonly RouteGroup<RouteDependencies>[] = [
  chatGroup,
  searchGroup,
  threadsGroup,
  feedbackGroup,
  healthGroup,
  docsGroup,
];

export const routes: readonly Route<RouteDependencies>[] = routeGroups.flatMap((group) => group.routes);
