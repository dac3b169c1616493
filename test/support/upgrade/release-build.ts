import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from '../servers/gatehouse-process.js';
import { ManagedProcess } from '../servers/processes.js';
import { temporaryFolder, removeFolder } from '../servers/temporary-folder.js';

/** Names a built version of the service and its folder. */
export interface Build {
  readonly name: string;
  readonly folder: string;
  /** The instances report this commit. */
  readonly commit: string;
}

interface Release {
  version: string;
  commit: string;
}

const BUILDS = inProject('.cache/releases');

export function treeUnderTest(): Build {
  const folder = inProject('.');
  return { name: 'the tree under test', folder, commit: commitOf(folder) };
}

/** Builds the newest release from the history. The build is kept in `.cache/`, so only the first run takes long. */
export async function buildNewestRelease(): Promise<Build> {
  const { version, commit } = newestRelease();
  await requireInHistory(version, commit);
  const sharesPackages = (await fileAt(commit, 'package-lock.json')) === lockFile();
  const folder = join(BUILDS, sharesPackages ? commit : `${commit}-with-own-packages`);
  if (!existsSync(folder)) await build(commit, folder, sharesPackages);
  return { name: `release ${version}`, folder, commit: commitOf(folder) };
}

function newestRelease(): Release {
  const folder = inProject('releases');
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  const inOrder = new Intl.Collator('en', { numeric: true }).compare;
  const newest = versions
    .filter((version) => existsSync(join(folder, version, 'release.json')))
    .toSorted(inOrder)
    .at(-1);
  if (newest === undefined)
    throw new Error('There is no releases/*/release.json, so there is nothing to upgrade from.');
  return JSON.parse(readFileSync(join(folder, newest, 'release.json'), 'utf8')) as Release;
}

async function requireInHistory(version: string, commit: string): Promise<void> {
  const { status } = await git('cat-file', '-e', `${commit}^{commit}`);
  if (status === 0) return;
  throw new Error(
    `Release ${version} cannot be built, because the history of this clone does not contain its commit ${commit}; run git fetch --unshallow.`,
  );
}

/**
 * Builds in a temporary folder and renames it, because another process may build the same release and either may be
 * killed. Node finds the tree's packages above the folder.
 */
async function build(commit: string, folder: string, sharesPackages: boolean): Promise<void> {
  mkdirSync(BUILDS, { recursive: true });
  const workshop = temporaryFolder('release', BUILDS);
  const archive = join(workshop, 'source.tar');
  const run = async (command: string, ...args: string[]) => {
    const env = { GATEHOUSE_COMMIT: commit };
    const child = new ManagedProcess(command, args, { cwd: workshop, env });
    if ((await child.exit) !== 0) throw child.failure(`${args.join(' ')} failed`);
  };
  await run('git', '-C', inProject('.'), 'archive', '--format=tar', `--output=${archive}`, commit);
  await run('tar', '-xf', archive);
  if (!sharesPackages) await run('npm', 'ci', '--include=dev', '--ignore-scripts');
  await run('npm', 'run', 'build:service');
  try {
    renameSync(workshop, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    removeFolder(workshop);
  }
}

async function fileAt(commit: string, path: string): Promise<string> {
  return (await git('show', `${commit}:${path}`)).output;
}

async function git(...args: string[]) {
  const child = new ManagedProcess('git', ['-C', inProject('.'), ...args]);
  return { status: await child.exit, output: child.output };
}

function lockFile(): string {
  return readFileSync(inProject('package-lock.json'), 'utf8').trimEnd();
}

function commitOf(folder: string): string {
  const file = join(folder, 'dist/build-info.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { commit: string }).commit;
}
