import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from './support/temporary-folder.js';
import { expectTokenInItsPlace, heading, signIn } from './support/web-player.js';
import { WebStage } from './support/web-stage.js';

const WEB = fileURLToPath(new URL('../web', import.meta.url));
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

it('the front end works as well from another origin, under a policy that it brings along', async () => {
  const folder = temporaryFolder('web-elsewhere');
  const server = await hostFiles(folder);
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const stage = await WebStage.start({ FRONTEND_URL: origin });
  await stage.createZone({ name: 'Dragon Valley' });
  await promisify(execFile)(
    process.execPath,
    [join(WEB, 'node_modules/vite/bin/vite.js'), 'build', WEB, '--outDir', folder],
    { env: { ...process.env, VITE_API_URL: stage.url }, cwd: WEB },
  );

  const page = await stage.chromium.open(`${origin}/withdraw`);
  const policy = await page.locator('meta[http-equiv]').getAttribute('content');
  expect(policy).toContain(`connect-src 'self' ${stage.url};`);
  await signIn(page, await stage.createAccount());
  await heading(page, 'Treasury').waitFor();
  await expectTokenInItsPlace(page);
  await page.getByRole('link', { name: 'Realms' }).click();
  await page.getByText('Dragon Valley').waitFor();
  await stage.chromium.expectSilence();

  server.closeAllConnections();
  server.close();
  await stage.stop();
  removeFolder(folder);
});
