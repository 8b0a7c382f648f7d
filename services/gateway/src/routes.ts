import { chatGroup } from './chat/chat.routes.js';
import { docsGroup } from './docs/docs.routes.js';
import { feedbackGroup } from './feedback/feedback.routes.js';
import { healthGroup } from './health/health.routes.js';
import { searchGroup } from './search/search.routes.js';
import { threadsGroup } from './threads/threads.routes.js';

/** Every route of the gateway, in the order of the OpenAPI document. */
export const routeGroups = [chatGroup, searchGroup, threadsGroup, feedbackGroup, healthGroup, docsGroup];

export const routes = routeGroups.flatMap<(typeof routeGroups)[number]['routes'][number]>(
  (group) => group.routes,
);
