// Takes the README's screenshots of the operators' desk, as part of `npm run screenshots`.
import { join } from 'node:path';
import Libsql from 'libsql';

const MINUTE = 60_000;
const sqlTime = (time) => new Date(time).toISOString().replace('T', ' ').slice(0, 23);

/** Signs in as the operator of a first run and shows the data of `fillNight`. */
export async function takeDeskPictures(browser, { url, password, folder, pictures }) {
  const { player, withdrawal } = fillNight(folder);
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    locale: 'en',
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  const shoot = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('img').nth(3).waitFor();
  await shoot('desk-now');
  await page.goto(`${url}/players/${player}`);
  await page.getByText('Signed in by password').first().waitFor();
  await page.setViewportSize({ width: 1280, height: 960 });
  await shoot('desk-player');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${url}/withdrawals/${withdrawal}`);
  await page.getByText('a second person has to agree').waitFor();
  await shoot('desk-withdrawal');
}

/** Reads the operator's password from the startup message. */
export function passwordIn(stdout) {
  let greeting = '';
  return new Promise((resolve) => {
    stdout.setEncoding('utf8').on('data', (text) => {
      greeting += text;
      const password = /sign in as admin with (\S+)/.exec(greeting)?.[1];
      if (password) resolve(password);
    });
  });
}

/** Adds an hour of logins, guessed passwords, and a settlement that waits for a second operator. */
function fillNight(folder) {
  const database = new Libsql(join(folder, 'gatehouse.sqlite'));
  const { id: player } = database.prepare("SELECT id FROM player WHERE account = 'Wanderer'").get();
  const event = database.prepare(
    `INSERT INTO login_event (created_at, way, outcome, tries, player_id, account, address, device)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const note = (minutes, way, outcome, tries, whose = [null, null], address = '203.0.113.20') =>
    event.run(sqlTime(Date.now() - minutes * MINUTE), way, outcome, tries, ...whose, address, null);
  for (let minutes = 1; minutes < 60; minutes += 2) {
    note(minutes, 'login', 'ok', 40 + Math.round(25 * Math.sin(minutes / 9)));
    note(minutes, 'register', 'ok', 3 + (minutes % 5));
    note(minutes, 'login', 'bad_credentials', minutes > 20 && minutes < 32 ? 24 : 2);
  }
  const wanderer = [player, 'Wanderer'];
  note(7, 'login', 'bad_credentials', 64, wanderer, '198.51.100.7');
  note(5, 'login', 'login_throttled', 12, wanderer, '198.51.100.7');
  note(26 * 60, 'login', 'ok', 1, wanderer, '192.0.2.31');
  const order = database.prepare('SELECT * FROM withdraw WHERE order_no IS NOT NULL ORDER BY id');
  const { id: withdrawal, order_no } = order.all().at(-1);
  const status = "UPDATE withdraw SET status = 'unknown' WHERE id = ?";
  database.prepare(status).run(withdrawal);
  database
    .prepare(
      `INSERT INTO approval_request (kind, target_id, order_no, proposal, operator, note, created_at)
       VALUES ('withdrawal', ?, ?, 'failed', 'anna', ?, ?)`,
    )
    .run(
      withdrawal,
      order_no,
      'The ledger of the server has no such order; asked the game team, ticket 4711.',
      sqlTime(Date.now() - 13 * MINUTE),
    );
  database.close();
  return { player, withdrawal };
}
