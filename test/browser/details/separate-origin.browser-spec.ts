import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inProject } from '../../support/servers/gatehouse-process.js';
import { unique } from '../../support/accounts.js';
import { removeFolder, temporaryFolder } from '../../support/servers/temporary-folder.js';
import {
  expectTokenOnlyInSessionStorage,
  heading,
  press,
  signIn,
} from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';

const WEB = fileURLToPath(new URL('../../../web', import.meta.url));
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves the built files, and the page itself for every other path. */
async function hostFiles(folder: string) {
  const server = createServer((request, response) => {
    const file = join(folder, new URL(request.url!, 'http://x').pathname);
    const isPage = !(extname(file) in TYPES) || !existsSync(file);
    response.setHeader('Content-Type', TYPES[extname(file)] ?? 'text/html');
    response.end(readFileSync(isPage ? join(folder, 'index.html') : file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

let folder: string;
let server: Server;
let origin: string;
let site: WebTestbed;

beforeAll(async () => {
  folder = temporaryFolder('separate-origin');
  server = await hostFiles(folder);
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  site = await WebTestbed.start({ env: { FRONTEND_URL: origin } });
  await site.addServer({ name: 'Dragon Valley' });
  await promisify(execFile)(
    process.execPath,
    [inProject('node_modules/vite/bin/vite.js'), 'build', WEB, '--outDir', folder],
    { env: { ...process.env, VITE_API_URL: site.url }, cwd: WEB },
  );
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await site.stop();
  removeFolder(folder);
});

describe("The players' site on a separate origin", () => {
  it('works under its own content security policy', async () => {
    const page = await site.chromium.open(`${origin}/withdraw`);
    const policy = await page.locator('meta[http-equiv]').getAttribute('content');
    expect(policy).toContain(`connect-src 'self' ${site.url};`);
    await signIn(page, await site.createAccount());
    await heading(page, 'Treasury').waitFor();
    await expectTokenOnlyInSessionStorage(page);
    await page.getByRole('link', { name: 'Realms' }).click();
    await page.getByText('Dragon Valley').waitFor();
  });

  it('accepts only a forum sign-in that was started in the same tab', async () => {
    site.forum.person = unique('person');
    const page = await site.chromium.open(`${site.url}/api/forumauth/authorize`);
    await page.getByText('This sign-in was not started in this tab').waitFor();
    expect(page.url()).toBe(`${origin}/signin`);
    await press(page, 'Start again at the forum');
    await press(page, 'Create a new account');
    await page.getByText(/^Welcome, forum_/).waitFor();
    await expectTokenOnlyInSessionStorage(page);
  });
});
