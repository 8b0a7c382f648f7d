import { join } from 'node:path';
import { probeQdrant } from './probes/probe-qdrant.js';
import type { StoreOptions } from './running-store.js';
import { storeEnvironment } from './store-environment.js';
import { storeFolder } from './store-folder.js';
import type { StoreProgram } from './store-program.js';
import { storeSecret } from './store-secret.js';
import { storeUser } from './store-user.js';

export async function qdrantProgram(command: string, options: StoreOptions): Promise<StoreProgram> {
  const user = storeUser();
  const folder = await storeFolder(options.dataDir, 'qdrant', user);
  const apiKey = options.withoutQdrantKey ? undefined : await storeSecret(options.dataDir, 'qdrant');
  return {
    name: 'qdrant',
    // gRPC cannot be switched off, so it gets a private port as well.
    portCount: 2,
    process: ([http, grpc]) => ({
      command,
      args: ['--disable-telemetry'],
      // Qdrant writes a marker file to its working directory.
      cwd: folder,
      env: storeEnvironment({
        QDRANT__SERVICE__HOST: '127.0.0.1',
        QDRANT__SERVICE__HTTP_PORT: String(http),
        QDRANT__SERVICE__GRPC_PORT: String(grpc),
        QDRANT__SERVICE__ENABLE_STATIC_CONTENT: 'false',
        // By default Qdrant allows every web origin.
        QDRANT__SERVICE__ENABLE_CORS: 'false',
        ...(apiKey === undefined ? {} : { QDRANT__SERVICE__API_KEY: apiKey }),
        QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
        QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
        QDRANT__TELEMETRY_DISABLED: 'true',
        QDRANT__LOG_LEVEL: 'INFO',
      }),
      user,
    }),
    url: (port) => `http://127.0.0.1:${port}`,
    apiKey,
    probe: (url) => probeQdrant(url, undefined, apiKey),
    // HTTP is bound, and the last server has started: Qdrant loses a stop signal before that, and never exits.
    announces: [/listening on: 127\.0\.0\.1:/, /gRPC listening on/],
    stopSignal: 'SIGTERM',
  };
}
