import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import passport from 'passport';
import { DataSource } from 'typeorm';
import { inject } from 'vitest';
import { stringify } from 'yaml';
import { parseEnvironment } from '../../../src/platform/config/parse-environment.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { createApp } from '../../../src/create-app.js';
import { Client } from './client.js';
import { SECRETS } from '../accounts.js';
import { createDatabase } from '../servers/mariadb.js';
import { removeFolder, temporaryDataFolder } from '../servers/temporary-folder.js';
import { until } from '../until.js';

// Many tests request more codes from one address than the service sends without a challenge.
const BASE_SETTINGS = { defaults: true, challenge: { mode: 'off' } };

export interface TestApp {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly client: Client;
  readonly database: DataSource;
  readonly settingsFile: string;
  /** Writes the settings file and applies it immediately. */
  changeSettings(settings: object): Promise<void>;
  stop(): Promise<void>;
}

export interface AppOptions {
  env?: Record<string, string>;
  settings?: object;
  extraModules?: Type[];
}

/**
 * Starts the service inside the test process, on the database of the test file's project. Passport keeps one set
 * of strategies per process, so the app that was started last checks the JWTs of all apps until it stops.
 */
export async function startApp({
  env = {},
  settings = {},
  extraModules,
}: AppOptions = {}): Promise<TestApp> {
  const folder = temporaryDataFolder('app');
  const settingsFile = join(folder, 'settings.yaml');
  writeFileSync(settingsFile, stringify({ ...BASE_SETTINGS, ...settings }));
  const database = await createRunDatabase();
  const { _strategies: strategies } = passport as unknown as { _strategies: object };
  const strategiesBefore = { ...strategies };
  const app = await createApp(
    parseEnvironment({
      DATA_DIR: folder,
      SETTINGS_FILE: settingsFile,
      LOG_LEVEL: 'silent',
      ...SECRETS,
      ...database.env,
      ...env,
    }),
    { extraModules },
  );
  // After a pause of the process, a shorter timeout would close connections on which a client has just sent a request.
  app.getHttpServer().keepAliveTimeout = 600_000;
  await app.listen(0, '127.0.0.1');
  // On a busy machine the service listens before it has connected to the database.
  if (env.DATABASE_URL === undefined)
    await until(() => app.get(DataSource).isInitialized, { within: 200_000 });
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    app,
    url,
    client: new Client(url),
    database: app.get(DataSource),
    settingsFile,
    async changeSettings(changed) {
      const values = app.get(Settings);
      const before = values.current;
      // The comment makes every write a change, even with the same values.
      writeFileSync(
        settingsFile,
        `# ${randomUUID()}\n${stringify({ ...BASE_SETTINGS, ...changed })}`,
      );
      // Settings apply after two identical reads in a row, and a read may have begun before the write.
      await until(async () => {
        await values['reload']();
        return values.current !== before;
      });
    },
    async stop() {
      await app.close();
      Object.assign(strategies, strategiesBefore);
      await database.drop();
      removeFolder(folder);
    },
  };
}

async function createRunDatabase() {
  const database = inject('database');
  if (database.kind === 'embedded') return { env: {}, drop: async () => undefined };
  const fresh = await createDatabase(database.rootUrl);
  return { env: { DATABASE_URL: fresh.url }, drop: () => fresh.drop() };
}
