import { chatApi } from '../chat/chat.openapi.js';
import { docsApi } from '../docs/docs.openapi.js';
import { feedbackApi } from '../feedback/feedback.openapi.js';
import { healthApi } from '../health/health.openapi.js';
import { searchApi } from '../search/search.openapi.js';
import { threadsApi } from '../threads/threads.openapi.js';
import type { ApiGroup } from './api-description.js';

/** Every group of routes that the gateway serves, in the order of the document. */
export const apiGroups: readonly ApiGroup[] = [
  chatApi,
  searchApi,
  threadsApi,
  feedbackApi,
  healthApi,
  docsApi,
];
