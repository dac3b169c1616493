import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryDataFolder } from '../servers/temporary-folder.js';

type Server = 'MARIADB' | 'MYSQL';
type Install = (folder: string) => Promise<void>;

const variable = (server: Server) => `INSTALLED_${server}`;

/** Installs the data folder that all of the run's servers copy, and returns a function that removes it. */
export async function installForRun(server: Server, install: Install): Promise<() => void> {
  if (process.env[variable(server)]) return () => undefined;
  const folder = temporaryDataFolder(`installed-${server.toLowerCase()}`);
  const data = join(folder, 'data');
  await install(data);
  process.env[variable(server)] = data;
  return () => {
    delete process.env[variable(server)];
    removeFolder(folder);
  };
}

/** Copies the run's data folder, or installs a new one, which takes seconds. */
export async function installData(server: Server, folder: string, install: Install): Promise<void> {
  const installed = process.env[variable(server)];
  if (installed) cpSync(installed, folder, { recursive: true });
  else await install(folder);
}
