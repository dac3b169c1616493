// A disk of its own for the account database, which can be full. Only root may mount one, and not everywhere.
import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from './support.mjs';

const ROOMY = 1 << 30;

export class SmallDisk {
  #isMounted = true;
  #disk = temporaryFolder('disk');
  /** On the disk, and may be removed. */
  folder = join(this.#disk, 'database');

  constructor() {
    mount('-t', 'tmpfs', '-o', `size=${ROOMY}`, 'tmpfs', this.#disk);
    // First of all: the folder cannot be removed while it is mounted.
    process.prependListener('exit', () => this.unmount());
    mkdirSync(this.folder);
  }

  /** Not a byte is left, from now on. */
  fill() {
    const { blocks, bfree, bsize } = statfsSync(this.#disk);
    mount('-o', `remount,size=${(blocks - bfree) * bsize}`, this.#disk);
  }

  makeRoom() {
    mount('-o', `remount,size=${ROOMY}`, this.#disk);
  }

  unmount() {
    if (!this.#isMounted) return;
    this.#isMounted = false;
    execFileSync('umount', ['--lazy', this.#disk]);
    removeFolder(this.#disk);
  }
}

export function mayMount() {
  if (process.getuid?.() !== 0) return false;
  try {
    new SmallDisk().unmount();
    return true;
  } catch {
    return false;
  }
}

function mount(...args) {
  execFileSync('mount', args, { stdio: 'pipe' });
}
