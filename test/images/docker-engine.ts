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
import { basesIn, ComposeFile, matches } from '../support/documents/compose.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The folder is kept after the run because creating an engine and its images takes minutes. */
const folder = process.env.ENGINE_FOLDER ?? join(root, '.cache/engine');
/** The engine sees its own folder under the same path, but not necessarily the project. */
const copy = join(folder, 'project');

function script(name: 'docker' | 'images'): string {
  return join(root, '../shared/engines', name);
}

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

export async function docker(...args: string[]): Promise<string> {
  return run(join(folder, 'docker'), args, { cwd: copy });
}

/** Starts a Docker engine with every image that the Dockerfile and the Compose files name. */
export async function startEngine(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await run(script('docker'), [folder, 'start'], { cwd: folder });
  // The script expects dockerd at this path, where Debian does not install it, and would reinstall the engine at
  // every startup.
  const found = join(folder, 'root/usr/bin/dockerd');
  if (!existsSync(found)) symlinkSync('../sbin/dockerd', found);
  copyProject();
  const files = ['docker-compose.yml', 'docker-compose.cluster.yml'].map(
    (name) => new ComposeFile(name),
  );
  const named = files.flatMap(({ entries }) => entries.map(([, { image }]) => image!));
  const pulled = named.filter((image) => image !== 'gatehouse');
  const bases = basesIn(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  await docker('image', 'inspect', ...new Set([...pulled, ...bases])).catch(async () => {
    await run(script('images'), [join(folder, 'images')], {
      env: { ENGINE: join(folder, 'docker') },
    });
    for (const base of new Set(bases)) await makeBase(base);
    for (const image of new Set(pulled)) await docker('tag', standInOf(image), image);
  });
}

/** The script `images` creates one image for each of these release lines, but the Compose files name exact releases. */
const STAND_INS = [
  'mariadb:11.4',
  'nginx:1.28-alpine',
  'haproxy:3.0-alpine',
  'redis:7-alpine',
  'axllent/mailpit:v1.27',
];

function standInOf(image: string): string {
  const [repository] = image.split(':');
  return STAND_INS.find((standIn) => standIn.startsWith(`${repository}:`))!;
}

/** Creates a base image of the Dockerfile from those that the script `images` creates. */
async function makeBase(image: string): Promise<void> {
  const context = join(folder, 'base-image');
  mkdirSync(context, { recursive: true });
  const version = /^node:(\d+)\.[\d.]+-slim$/.exec(image)?.[1];
  writeFileSync(join(context, 'Dockerfile'), version ? nodeImage(version) : DEBIAN_IMAGE);
  await docker('build', '--quiet', '--tag', image, context);
}

/** Replaces the program of node:22-slim, the only version that the script creates. */
function nodeImage(version: string): string {
  return `FROM node:22-slim
RUN npm install --prefix /tmp/node --ignore-scripts node-linux-$(node -p process.arch)@${version} && \\
    mv /tmp/node/node_modules/node-linux-*/bin/node /usr/local/bin/node && rm -r /tmp/node
`;
}

/** The script's Debian has all of Perl, but Debian's own slim image has only what dpkg needs. */
const DEBIAN_IMAGE = `FROM standin-slim AS slim
RUN dpkg --purge --force-depends usrmerge perl libperl5.36 perl-modules-5.36 && rm -rf /var/cache/* /var/lib/apt/lists
FROM scratch
COPY --from=slim / /
`;

export async function stopEngine(): Promise<void> {
  await run(script('docker'), [folder, 'stop']);
}

/** Copies the files that Docker reads, so that a test changes neither the project's `.env` nor its build. */
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

/** Writes the `.env` that Compose reads, or an unchanged copy of the example if there are no secrets. */
export function writeEnv(secrets?: Record<string, string>): void {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const lines = Object.entries(secrets ?? {}).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(copy, '.env'), secrets ? lines.join('') : example);
}

export class Stack {
  constructor(readonly file: string) {}

  async compose(...args: string[]): Promise<string> {
    return docker('compose', '-f', this.file, ...args);
  }

  /** Starts all containers and waits until they are healthy. */
  async up(...options: string[]): Promise<void> {
    try {
      await this.compose('up', '--wait', '--quiet-pull', ...options);
    } catch (error) {
      const log = await this.compose('logs', '--tail', '20');
      throw new Error(`${await this.compose('ps', '--all')}\n${log}`, { cause: error });
    }
  }
}

/** Sends a request to a port of the engine's machine or of a container. */
export async function request(
  url: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  const post = body ? ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)] : [];
  const args = ['curl', '-sS', '-w', '\n%{http_code}', ...post, url];
  const output = await run(script('docker'), [folder, 'run', ...args], { cwd: copy });
  const end = output.lastIndexOf('\n');
  return { status: Number(output.slice(end + 1)), text: output.slice(0, end) };
}
