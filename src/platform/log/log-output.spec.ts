import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/servers/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import { LogOutput } from './log-output.js';

const line = (n: number) => `${String(n).padStart(8, '0')}${'é'.repeat(150)}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, n) => line(n)).join('');

const undo: Array<() => void> = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

function makePipe(): string {
  const folder = temporaryFolder('log');
  undo.push(() => removeFolder(folder));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Like stdout, it refuses what it cannot take at once. Nobody reads it but `read`, which gives all so far. */
function pipe() {
  const fd = openSync(makePipe(), constants.O_RDWR | constants.O_NONBLOCK);
  undo.push(() => closeSync(fd));
  const parts: Buffer[] = [];
  const read = () => {
    const part = Buffer.alloc(65_536);
    try {
      parts.push(part.subarray(0, readSync(fd, part)));
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' });
    }
    return Buffer.concat(parts).toString();
  };
  return { fd, read };
}

function pipeWithoutReader(): number {
  const path = makePipe();
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  closeSync(reader);
  return writer;
}

describe('the output of the log', () => {
  it('gives all lines in their order to a reader that comes back', async () => {
    const { fd, read } = pipe();
    const output = new LogOutput(fd);
    for (let n = 0; n < 1000; n++) output.write(line(n));
    await until(() => read().length === lines(1000).length);
    expect(read()).toBe(lines(1000));
    expect(output.dropped).toBe(0);
  });

  it('waits a second for a reader when the process ends, and no longer', async () => {
    const { fd, read } = pipe();
    const output = new LogOutput(fd);
    for (let n = 0; n < 4000; n++) output.write(line(n));
    expect(output.dropped).toBeGreaterThan(0);
    const begun = performance.now();
    output.flushSync();
    const waited = performance.now() - begun;
    expect(waited).toBeGreaterThan(900);
    expect(waited).toBeLessThan(5000);
    // As a fatal line and the end after it do.
    output.flushSync();
    expect(performance.now() - begun - waited).toBeLessThan(900);
    const kept = 4000 - output.dropped;
    await until(() => read().length >= lines(kept).length);
    // The one chunk that was being written when the flush began may come later than its place.
    expect(read().split('\n').toSorted()).toEqual(lines(kept).split('\n').toSorted());
  });

  it('loses lines, and nothing else, on a full disk and when its reader is gone', () => {
    // Not closed: they are tried again and again, and their numbers would be those of other files by then.
    for (const fd of [openSync('/dev/full', 'w'), pipeWithoutReader()]) {
      const output = new LogOutput(fd);
      for (let n = 0; n < 4000; n++) output.write(line(n));
      expect(output.dropped).toBeGreaterThan(0);
      const begun = performance.now();
      output.flushSync();
      expect(performance.now() - begun).toBeLessThan(900);
    }
  });
});
