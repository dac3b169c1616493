import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/servers/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import { LogOutput } from './log-output.js';

const line = (n: number) => `${String(n).padStart(8, '0')}${'é'.repeat(150)}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, n) => line(n)).join('');

const undo: Array<() => void> = [];
afterEach(() => {
  vi.restoreAllMocks();
  undo.splice(0).forEach((step) => step());
});

function makePipe(): string {
  const folder = temporaryFolder('log');
  undo.push(() => removeFolder(folder));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Opens a pipe that, like stdout, never blocks a writer. `read` returns everything written so far. */
function pipe() {
  const fd = openSync(makePipe(), constants.O_RDWR | constants.O_NONBLOCK);
  undo.push(() => closeSync(fd));
  const parts: Buffer[] = [];
  const read = () => {
    try {
      for (;;) {
        const part = Buffer.alloc(65_536);
        parts.push(part.subarray(0, readSync(fd, part)));
      }
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

describe('LogOutput', () => {
  it('writes all lines in order once the reader resumes', async () => {
    const { fd, read } = pipe();
    const output = new LogOutput(fd);
    for (let n = 0; n < 500; n++) output.write(line(n));
    const written = lines(500);
    await until(() => read().length === written.length);
    expect(read()).toBe(written);
    expect(output.dropped).toBe(0);
  });

  it('waits at most one second for the reader when the process ends', () => {
    const { fd, read } = pipe();
    const output = new LogOutput(fd);
    for (let n = 0; n < 4000; n++) output.write(line(n));
    expect(output.dropped).toBeGreaterThan(0);
    const wait = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
    const waitedMs = () => wait.mock.calls.reduce((sum, [, , , ms]) => sum + ms!, 0);
    output.flushSync();
    expect(waitedMs()).toBe(1000);
    // A fatal line flushes the output, and the process exit that follows flushes it again.
    output.flushSync();
    expect(waitedMs()).toBe(1000);
    const kept = lines(4000 - output.dropped);
    while (read().length < kept.length) output.flushSync();
    expect(read()).toBe(kept);
  });

  it('drops lines without waiting if the disk is full or the reader is gone', () => {
    const wait = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
    // These descriptors are never closed, because the output retries them and their numbers could be reused.
    const fullDisk = existsSync('/dev/full') ? [openSync('/dev/full', 'w')] : [];
    for (const fd of [...fullDisk, pipeWithoutReader()]) {
      const output = new LogOutput(fd);
      for (let n = 0; n < 4000; n++) output.write(line(n));
      expect(output.dropped).toBeGreaterThan(0);
      output.flushSync();
      expect(wait).not.toHaveBeenCalled();
    }
  });
});
