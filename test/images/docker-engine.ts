import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ComposeFile, matches } from '../support/documents/compose.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Kept after the run, because making an engine and its images takes minutes. */
const folder = process.env.ENGINE_FOLDER ?? join(root, '.cache/engine');
/** The engine sees its own folder under the same path, and not necessarily the project. */
const copy = join(folder, 'project');

function script(name: 'docker' | 'images'): string {
  return join(root, '../shared/engines', name);
}

/** Runs a command to its end and returns its stdout. */
async function run(command: string, args: string[], options: { cwd?: string; env?: object } = {}) {
  return new Promise<string>((resolve, reject) => {
    const env = { ...process.env, ...options.env };
    const limits = { maxBuffer: 1e8, cwd: options.cwd, env };
    execFile(command, args, limits, (error, stdout, stderr) => {
      if (error) reject(new Error(`${args.join(' ')}\n${stdout}${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}

async function docker(...args: string[]): Promise<string> {
  return run(join(folder, 'docker'), args, { cwd: copy });
}

/** Starts a Docker engine that has every image which the Dockerfile and the Compose files name. */
export async function startEngine(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await run(script('docker'), [folder, 'start'], { cwd: folder });
  // The script looks for it here, where Debian does not put it, and would install the engine again at every start.
  const found = join(folder, 'root/usr/bin/dockerd');
  if (!existsSync(found)) symlinkSync('../sbin/dockerd', found);
  copyProject();
  const files = ['docker-compose.yml', 'docker-compose.cluster.yml'].map(
    (name) => new ComposeFile(name),
  );
  const named = files.flatMap(({ entries }) => entries.map(([, { image }]) => image!));
  const pulled = named.filter((image) => image !== 'gatehouse');
  const bases = matches(readFileSync(join(root, 'Dockerfile'), 'utf8'), /^FROM (\S+)/gm);
  await docker('image', 'inspect', ...new Set([...pulled, ...bases])).catch(async () =>
    run(script('images'), [join(folder, 'images')], { env: { ENGINE: join(folder, 'docker') } }),
  );
}

export async function stopEngine(): Promise<void> {
  await run(script('docker'), [folder, 'stop']);
}

/** Copies what a clone has of the files that Docker reads, so that neither an `.env` nor a build of the project is touched. */
function copyProject(): void {
  rmSync(copy, { recursive: true, force: true });
  const sources = matches(readFileSync(join(root, '.dockerignore'), 'utf8'), /^!(.+)$/gm);
  const left = new Set(['node_modules', 'dist']);
  for (const path of [
    ...sources,
    'Dockerfile',
    '.dockerignore',
    '.env.example',
    'docker-compose.yml',
    'docker-compose.cluster.yml',
  ])
    cpSync(join(root, path), join(copy, path), {
      recursive: true,
      filter: (source) => !left.has(basename(source)),
    });
}

/** Writes the `.env` that Compose reads; without secrets, an unchanged copy of the example. */
export function writeEnv(secrets?: Record<string, string>): void {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const lines = Object.entries(secrets ?? {}).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(copy, '.env'), secrets ? lines.join('') : example);
}

/** The containers of one Compose file. */
export class Stack {
  constructor(readonly file: string) {}

  async compose(...args: string[]): Promise<string> {
    return docker('compose', '-f', this.file, ...args);
  }

  /** Starts everything that is not running, and waits until all of it is healthy. */
  async up(...options: string[]): Promise<void> {
    try {
      await this.compose('up', '--wait', '--quiet-pull', ...options);
    } catch (error) {
      const log = await this.compose('logs', '--tail', '20');
      throw new Error(`${await this.compose('ps', '--all')}\n${log}`, { cause: error });
    }
  }

  /** Calls a published port of the engine's machine. */
  async request(url: string, body?: object): Promise<{ status: number; text: string }> {
    const post = body ? ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)] : [];
    const args = ['curl', '-sS', '-w', '\n%{http_code}', ...post, url];
    const output = await run(script('docker'), [folder, 'run', ...args], { cwd: copy });
    const end = output.lastIndexOf('\n');
    return { status: Number(output.slice(end + 1)), text: output.slice(0, end) };
  }
}
