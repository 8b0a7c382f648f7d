/**
 * What each route has to answer at least once while it is thrown at, by status: requests that are all refused at the
 * door would prove little. Only what comes often enough that no seed leaves it out.
 */
type ExpectedAnswers = Record<string, readonly number[]>;

export const EVERYWHERE = 'everywhere';
export const RAW_BYTES = 'raw bytes';

export const EXPECTED_OPEN: ExpectedAnswers = {
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

/** Where a key is needed: every route lets some in and some not. */
export const EXPECTED_GUARDED: ExpectedAnswers = {
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
