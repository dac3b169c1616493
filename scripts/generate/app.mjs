import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../dist/create-app.js';
import { parseEnvironment } from '../../dist/platform/config/parse-environment.js';

/** Calls `use` with the built service, which does not listen and has an empty data folder. */
export async function withApp(use) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-generate-'));
  const app = await createApp(
    parseEnvironment({
      DATA_DIR: folder,
      // No Redis listens at this address. The variable only makes the service register the Redis metrics.
      REDIS_URL: 'redis://127.0.0.1:1',
      LOG_LEVEL: 'silent',
    }),
  );
  try {
    return await use(app);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
