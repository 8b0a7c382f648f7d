/**
 * The statuses that each route has to respond with at least once: requests that are all refused early would prove
 * little. Only statuses that every seed produces.
 */
type ExpectedStatuses = Record<string, readonly number[]>;

export const EVERYWHERE = 'everywhere';
export const RAW_BYTES = 'raw bytes';

export const EXPECTED_OPEN: ExpectedStatuses = {
  'POST /chat': [200, 202, 400, 409, 415],
  'POST /chat/run': [200, 400],
  'POST /chat/stream': [200, 400],
  'POST /search': [200, 400],
  'POST /feedback': [200, 400, 404],
  'GET /chat/{request_id}': [200, 404],
  'DELETE /chat/{request_id}': [200, 404],
  'GET /chat/{request_id}/stream': [200, 400, 404],
  'GET /threads': [200, 400],
  'GET /threads/{session_id}': [200, 400, 404],
  'PATCH /threads/{session_id}': [200, 400, 404],
  'DELETE /threads/{session_id}': [204, 404],
  'GET /history/{session_id}': [200, 400, 404],
  [EVERYWHERE]: [405],
  [RAW_BYTES]: [200, 202, 400, 404, 413, 415, 431],
};

/** With authentication every route accepts some requests and refuses some. */
export const EXPECTED_GUARDED: ExpectedStatuses = {
  ...Object.fromEntries(
    Object.entries(EXPECTED_OPEN)
      .filter(([group]) => group.includes('/'))
      .map(([route, statuses]) => [
        route,
        [...statuses.filter((status) => status < 300 && status !== 202), 401],
      ]),
  ),
  [EVERYWHERE]: [400, 403, 404, 405, 429],
};
