// `npm run screenshots` takes the README's screenshots. It plays through a first run in a browser,
// from registration to withdrawal, renders two e-mails, and then opens the operators' desk. It needs Chromium (Debian:
// `chromium`).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { chromium } from 'playwright-core';
import { passwordIn, takeDeskPictures } from './desk-pictures.mjs';
import { takeMailPictures } from './mail-pictures.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pictures = join(root, 'docs', 'pictures');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-screenshots-'));
const port = await freePort();
const deskPort = await freePort();
const url = `http://localhost:${port}`;

const service = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
  // Ignores the project's .env and the shell's DATABASE_URL, so that the player is not registered
  // in another database.
  cwd: folder,
  env: {
    PORT: String(port),
    DESK_PORT: String(deskPort),
    DATA_DIR: folder,
    SETTINGS_FILE: join(root, 'config', 'settings.yaml'),
    AGREEMENT_FILE: join(root, 'config', 'agreement.html'),
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const deskPassword = passwordIn(service.stdout);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
try {
  await untilReady();
  await play(await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en' }));
  await takeMailPictures(browser, pictures);
  const password = await deskPassword;
  await takeDeskPictures(browser, {
    url: `http://127.0.0.1:${deskPort}`,
    password,
    folder,
    pictures,
  });
} finally {
  await browser.close();
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function play(page) {
  const shoot = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${url}/signin`);
  await page.getByLabel('Account').waitFor();
  await shoot('sign-in');

  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByLabel('Account').fill('Wanderer');
  await page.getByLabel('E-mail', { exact: true }).fill('wanderer@example.com');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Code from the e-mail').fill(await mailedCode());
  await page.getByLabel('Password', { exact: true }).fill('through the gate');
  await page.getByRole('button', { name: /^First realm/ }).click();
  await page.getByRole('button', { name: /^Choose: .*Dragon Valley/ }).click();
  await page.getByLabel('Stay signed in').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  // The heroes arrive after the realms.
  await page.getByText('Warrior').first().waitFor();
  await shoot('home');

  await signInElsewhere();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByText('This device').waitFor();
  await page.setViewportSize({ width: 1280, height: 960 });
  await shoot('account');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('link', { name: 'Treasury' }).click();
  await fillIn(page, '2500');
  await page.setViewportSize({ width: 1280, height: 960 });
  await shoot('treasury');
  await page.setViewportSize({ width: 1280, height: 800 });
  await withdraw(page);
  await page.getByRole('button', { name: 'Make another withdrawal' }).click();
  await fetch(`${url}/sandbox/gm`, {
    method: 'POST',
    body: new URLSearchParams({ fault: 'error_after' }),
  });
  await fillIn(page, '700');
  await withdraw(page);
  await page
    .getByText(/being checked/i)
    .first()
    .waitFor();
  await page.locator('.item').nth(1).waitFor();
  await shoot('withdraw');

  fillServers();
  // The service reads the servers at most once per second.
  await page.waitForTimeout(1500);
  await page.getByRole('link', { name: 'Realms' }).click();
  await page.getByText('Warrior').nth(4).waitFor();
  await shoot('realms');
  await page.setViewportSize({ width: 390, height: 844 });
  await page
    .getByRole('button', { name: /^Enter:/ })
    .first()
    .waitFor();
  // Scrolls past the sandbox bar, which a real deployment does not have.
  await page
    .getByRole('navigation', { name: 'Sandbox' })
    .evaluate((bar) => scrollTo(0, bar.offsetHeight));
  await shoot('phone');
}

/** Adds 200 servers in two groups, some of them visited by the player. */
function fillServers() {
  const names = [
    'Dragon Valley',
    'Sand Keep',
    'Moon Island',
    'Bichon',
    'Serpent Pass',
    'Red Gorge',
  ];
  const states = ['normal', 'normal', 'busy', 'normal', 'full', 'normal', 'maintenance'];
  const database = new Libsql(join(folder, 'gatehouse.sqlite'), { timeout: 5000 });
  const server = database.prepare(
    `INSERT INTO server (id, name, address, port, status, sort, zone_group, recommended)
     VALUES (?, ?, '127.0.0.1', ?, ?, ?, ?, ?)`,
  );
  for (let id = 3; id <= 200; id++) {
    const status = id > 194 ? 'new' : states[id % states.length];
    const group = id > 160 ? 'Eastern lands' : null;
    server.run(id, `${names[id % 6]} ${id}`, 7000 + id, status, id, group, Number(id === 197));
  }
  const entered = database.prepare(
    'INSERT OR REPLACE INTO player_zone (player_id, server_id, entered_at) SELECT id, ?, ? FROM player',
  );
  for (const [hours, id] of [1, 2, 17, 23, 84].entries())
    entered.run(
      id,
      new Date(Date.now() - hours * 5e6).toISOString().replace('T', ' ').slice(0, 23),
    );
  database.close();
}

/** Signs in to the same account on a phone. */
async function signInElsewhere() {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
  await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify({ account: 'Wanderer', password: 'through the gate' }),
  });
}

async function fillIn(page, amount) {
  await page.getByRole('radio', { name: /Warrior/ }).check();
  await page.getByLabel('Amount').fill(amount);
}

async function withdraw(page) {
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await page.getByRole('button', { name: /^Withdraw / }).click();
}

async function mailedCode() {
  for (;;) {
    const text = await (await fetch(`${url}/sandbox/mail`)).text();
    const code = /<h2>(\d{6})/.exec(text)?.[1];
    if (code) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function untilReady() {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the service did not get ready');
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
