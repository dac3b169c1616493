import { type Connection, createConnection } from 'mysql2/promise';
import { Environment } from '../../../src/platform/config/environment.js';
import { type Gatehouse, startGatehouse } from '../servers/gatehouse-process.js';
import { Client } from './client.js';
import { Withdrawals } from './withdrawals.js';

/** Starts the built service as a second instance beside the one in the test process. */
export function startSecondInstance({ service, world }: Withdrawals): Promise<Gatehouse> {
  const { DATABASE_URL, JWT_SECRET, PASSWORD_KEY, GM_SECRET } = service.app.get(Environment);
  return startGatehouse({
    DATABASE_URL,
    GAME_DATABASE_URL: world.urlAt(),
    SETTINGS_FILE: service.settingsFile,
    JWT_SECRET,
    PASSWORD_KEY,
    GM_SECRET,
  });
}

export interface TwoInstances {
  readonly w: Withdrawals;
  readonly clients: Client[];
  /** The connection acts as an operator's SQL client. */
  readonly editor: Connection;
  stop(): Promise<void>;
}

export async function startTwoInstances(): Promise<TwoInstances> {
  const w = await Withdrawals.start({ gm_timeout: 10 });
  const instance = await startSecondInstance(w);
  const { app, client } = w.service;
  const editor = await createConnection(app.get(Environment).DATABASE_URL!);
  return {
    w,
    clients: [client, new Client(instance.url)],
    editor,
    async stop() {
      await editor.end();
      await instance.kill();
      await w.stop();
    },
  };
}
