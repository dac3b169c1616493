import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inProject } from '../support/servers/gatehouse-process.js';
import { unique } from '../support/api/factories.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { expectTokenOnlyInSessionStorage, heading, signIn } from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** A host that knows nothing of the service: files, and the page for every path that is none. */
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
let stage: WebTestbed;

beforeAll(async () => {
  folder = temporaryFolder('web-elsewhere');
  server = await hostFiles(folder);
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  stage = await WebTestbed.start({ FRONTEND_URL: origin });
  await stage.addServer({ name: 'Dragon Valley' });
  await promisify(execFile)(
    process.execPath,
    [inProject('node_modules/vite/bin/vite.js'), 'build', WEB, '--outDir', folder],
    { env: { ...process.env, VITE_API_URL: stage.url }, cwd: WEB },
  );
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await stage.stop();
  removeFolder(folder);
});

describe('the front end on another origin', () => {
  it('works as well, under a policy that it brings along', async () => {
    const page = await stage.chromium.open(`${origin}/withdraw`);
    const policy = await page.locator('meta[http-equiv]').getAttribute('content');
    expect(policy).toContain(`connect-src 'self' ${stage.url};`);
    await signIn(page, await stage.createAccount());
    await heading(page, 'Treasury').waitFor();
    await expectTokenOnlyInSessionStorage(page);
    await page.getByRole('link', { name: 'Realms' }).click();
    await page.getByText('Dragon Valley').waitFor();
  });

  it('takes its own login through the forum, and no other', async () => {
    stage.forum.person = unique('person');
    const page = await stage.chromium.open(`${stage.url}/api/forumauth/authorize`);
    await page.getByText('This sign-in was not started in this tab').waitFor();
    expect(page.url()).toBe(`${origin}/signin`);
    await page.getByRole('button', { name: 'Start again at the forum' }).click();
    await page.getByRole('button', { name: 'Create a new account' }).click();
    await page.getByText(/^Welcome, forum_/).waitFor();
    await expectTokenOnlyInSessionStorage(page);
  });
});
