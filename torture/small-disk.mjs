// Mounts a private disk that can be filled up, for the account database. Mounting needs root and is not always
// possible.
import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from './support.mjs';

const SIZE = 1 << 30;

export class SmallDisk {
  #isMounted = true;
  #disk = temporaryFolder('disk');
  /** The data is in a folder on the disk, because the mount point itself cannot be removed. */
  folder = join(this.#disk, 'database');

  constructor() {
    mount('-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', this.#disk);
    // The handler runs before the other exit handlers, which cannot remove a mounted folder.
    process.prependListener('exit', () => this.unmount());
    mkdirSync(this.folder);
  }

  /** Shrinks the disk to the size of its contents. */
  fill() {
    const { blocks, bfree, bsize } = statfsSync(this.#disk);
    mount('-o', `remount,size=${(blocks - bfree) * bsize}`, this.#disk);
  }

  makeRoom() {
    mount('-o', `remount,size=${SIZE}`, this.#disk);
  }

  unmount() {
    if (!this.#isMounted) return;
    this.#isMounted = false;
    execFileSync('umount', ['--lazy', this.#disk]);
    removeFolder(this.#disk);
  }
}

export function canMount() {
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
