import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '../support/documents/source-code.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

const UNIT = 'config/gatehouse@.service';
let folder: string;
beforeAll(() => {
  folder = temporaryFolder('systemd');
});
afterAll(() => removeFolder(folder));

describe('gatehouse@.service', () => {
  it('has an exposure below 3 of 10 according to systemd-analyze', () => {
    const instance = join(folder, 'gatehouse@3001.service');
    copyFileSync(UNIT, instance);
    const args = ['security', '--offline=true', '--no-pager', '--threshold=29', instance];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    // systemd warns about unknown directives.
    expect(stderr).not.toContain('gatehouse@3001.service:');
    expect(status, `${stdout}${stderr}`).toBe(0);
  });

  it("lets Node.js compile code, read /proc and list the machine's addresses", () => {
    const unit = readDocument(UNIT);
    expect(unit).not.toMatch(/^(MemoryDenyWriteExecute|ProcSubset)=/m);
    expect(unit).toMatch(/^RestrictAddressFamilies=.*AF_INET AF_INET6 AF_UNIX AF_NETLINK$/m);
  });
});
