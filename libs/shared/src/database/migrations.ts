import * as runsAndThreads from './migrations/0001-runs-and-threads.js';
import * as cancelledRuns from './migrations/0002-cancelled-runs.js';
import * as threadsByAge from './migrations/0003-threads-by-age.js';
import * as modelUsage from './migrations/0004-model-usage.js';
import * as runsAskedAgain from './migrations/0005-runs-asked-again.js';
import * as threadLives from './migrations/0006-thread-lives.js';
import * as apiKeys from './migrations/0007-api-keys.js';
import * as feedbackByCaller from './migrations/0008-feedback-by-caller.js';
import * as threadsPerTenant from './migrations/0009-threads-per-tenant.js';

/** Run in the order of their names. */
export const migrations = {
  '0001-runs-and-threads': runsAndThreads,
  '0002-cancelled-runs': cancelledRuns,
  '0003-threads-by-age': threadsByAge,
  '0004-model-usage': modelUsage,
  '0005-runs-asked-again': runsAskedAgain,
  '0006-thread-lives': threadLives,
  '0007-api-keys': apiKeys,
  '0008-feedback-by-caller': feedbackByCaller,
  '0009-threads-per-tenant': threadsPerTenant,
};
