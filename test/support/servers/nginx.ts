import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { ManagedProcess } from './processes.js';
import { removeFolder, temporaryFolder } from './temporary-folder.js';

export interface Nginx {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  readonly accessLog: () => string;
  readonly errorLog: () => string;
  readonly stop: () => Promise<void>;
}

export interface NginxOptions {
  /** Lists the instances, as `host:port`, that replace those in the file. */
  upstreams: string[];
  location?: string;
  /** Edits the file as an operator would; nginx listens on `port`. */
  edit?: (config: string, port: number) => string;
}

/** Starts nginx with `config/nginx.conf`, in which only addresses and paths are replaced. */
export async function startNginx({
  upstreams,
  location = '',
  edit = (config) => config,
}: NginxOptions): Promise<Nginx> {
  const folder = temporaryFolder('nginx');
  const port = await freePort();
  const accessLog = join(folder, 'access.log');
  const errorLog = join(folder, 'error.log');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    edit(adapt(readConfig(), { port, upstreams, location, accessLog, errorLog, folder }), port),
  );

  // nginx runs as a single process so that no worker survives a kill.
  const directives = `daemon off; master_process off; pid ${join(folder, 'nginx.pid')};`;
  const child = new ManagedProcess('nginx', [
    '-p',
    folder,
    '-e',
    'stderr',
    '-c',
    file,
    '-g',
    directives,
  ]);
  await child.waitUntil(() => accepts(port));

  return {
    pid: child.pid!,
    url: `http://127.0.0.1:${port}`,
    port,
    accessLog: () => readFileSync(accessLog, 'utf8'),
    errorLog: () => readFileSync(errorLog, 'utf8'),
    stop: async () => {
      await child.stop('SIGTERM');
      removeFolder(folder);
    },
  };
}

interface Local {
  port: number;
  upstreams: string[];
  location: string;
  accessLog: string;
  errorLog: string;
  folder: string;
}

function adapt(config: string, local: Local): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((use) => {
    mkdirSync(join(local.folder, use));
    return `${use}_temp_path ${join(local.folder, use)};`;
  });

  const replacements: [RegExp, string][] = [
    [/server app2:3001 .*;/g, ''],
    [/server app1:3001( .*;)/g, local.upstreams.map((address) => `server ${address}$1`).join(' ')],
    [/listen 80 /, `listen 127.0.0.1:${local.port} `],
    [/^ *location \/ \{$/m, `${local.location}\nlocation / {`],
    [/access_log \S+ /, `access_log ${local.accessLog} `],
    [/error_log \S+ /, `error_log ${local.errorLog} `],
    [/^http \{$/m, `http { ${temporary.join(' ')}`],
  ];
  return replacements.reduce((text, [pattern, replacement]) => {
    if (text.search(pattern) < 0) throw new Error(`config/nginx.conf has no line like ${pattern}`);
    return text.replace(pattern, replacement);
  }, config);
}

function readConfig(): string {
  return readFileSync(new URL('../../../config/nginx.conf', import.meta.url), 'utf8');
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
