// Signing up, signing in, and staying out: codes, passwords, locks, accounts that were disabled.
import { setTimeout as pause } from 'node:timers/promises';
import { passwordHash } from './account-database.mjs';
import { tokenOf } from './secrets.mjs';
import { PASSWORD } from './stage.mjs';

const MAIL_WITHIN_MS = 8000;
const GUESSES = 12;
const MOST_GUESSES = 5;
const ZONE_ERRORS = ['server_unavailable', 'account_disabled'];

export async function login(play, entry) {
  const { account, password, from } = play.stage.players[entry.player];
  const body = { account, password };
  await play.client.ask(entry, 'POST', '/api/login', { from, body, may: ['login_throttled'] });
}

export async function wrongLogin(play, entry) {
  const { account } = play.stage.players[entry.player];
  const options = { from: addressOf(entry), may: ['bad_credentials', 'login_throttled'] };
  const body = { account, password: 'wrong' };
  const answer = await play.client.ask(entry, 'POST', '/api/login', { ...options, body });
  if (answer?.status === 200) play.violate('a wrong password was right', answer.text, entry);
}

export async function check(play, entry) {
  const { account, token, password, from } = play.stage.players[entry.player];
  const right = { account, token: entry.keyed ? token : passwordHash(password) };
  await play.client.ask(entry, 'POST', '/api/check', { from, body: right });
  const wrong = { account, token: passwordHash('wrong') };
  const options = { from: addressOf(entry), body: wrong, may: ['token_invalid'] };
  const answer = await play.client.ask(entry, 'POST', '/api/check', options);
  if (answer?.status === 200) play.violate('a wrong token was right', answer.text, entry);
}

export async function enter(play, entry) {
  const { token, from, id } = play.stage.players[entry.player];
  const body = { server_id: play.stage.zones[entry.zone] };
  const options = { token, from, body, may: ZONE_ERRORS };
  play.model.entries(id).tried++;
  const answer = await play.client.ask(entry, 'POST', '/api/enter_game', options);
  if (answer?.status === 200) play.model.entries(id).done++;
}

/** One code, and several who want to register with it at once. */
export async function register(play, entry) {
  const email = `new_${entry.n}@mail.example`;
  const code = await codeFor(play, entry, email);
  if (!code) return;
  const may = ['code_invalid', 'email_taken', 'account_taken', 'registration_cap_reached'];
  const names = Array.from({ length: entry.copies }, (_, copy) => `new_${entry.n}_${copy}`);
  const answers = await Promise.all(
    names.map((account, copy) => {
      const server_id = play.stage.zones[entry.zone];
      const body = { account, password: PASSWORD, email, code, server_id };
      const target = (entry.target + copy) % play.stage.instances.length;
      const options = { target, from: addressOf(entry), body, may: [...may, ...ZONE_ERRORS] };
      return play.client.ask(entry, 'POST', '/api/register', options);
    }),
  );
  const served = answers.filter((answer) => answer?.status === 200);
  play.model.registered.push(
    ...served.map(({ data }) => ({ entry, account: data.account, email })),
  );
  if (served.length === 0) return;
  const again = { account: served[0].data.account, email, code, password: 'another one' };
  const reset = await resetWith(play, entry, again);
  if (served.length + (reset?.status === 200 ? 1 : 0) > 1)
    play.violate('a code served twice', `${email}: ${names}`, entry);
}

/** One code, and several new passwords at once. */
export async function reset(play, entry) {
  const email = `old_${entry.n}@mail.example`;
  const { database } = play.stage;
  const player = await database.createPlayer({
    account: `old_${entry.n}`,
    password: PASSWORD,
    email,
  });
  const { account } = player;
  const code = await codeFor(play, entry, email);
  if (!code) return;
  const passwords = ['first one', 'second one', 'third one'];
  const answers = await Promise.all(
    passwords.map((password, copy) =>
      resetWith(play, entry, { account, email, code, password }, copy),
    ),
  );
  const served = answers.filter((answer) => answer?.status === 200);
  if (served.length > 1) play.violate('a code served twice', email, entry);
  if (served.length === 0) return;
  const stale = [tokenOf(player), passwordHash(PASSWORD)];
  for (const token of stale) {
    const options = { from: addressOf(entry), body: { account, token }, may: ['token_invalid'] };
    const answer = await play.client.ask(entry, 'POST', '/api/check', options);
    if (answer?.status === 200) play.violate('a token from before the reset', answer.text, entry);
  }
}

/** Many guesses at once. The limit holds for all instances together while Redis is there. */
export async function guess(play, entry) {
  const { database, instances } = play.stage;
  const { account } = await database.createPlayer({
    account: `aim_${entry.n}`,
    password: PASSWORD,
  });
  const before = play.disturbances();
  const quiet = async () =>
    play.activeFaults === 0 &&
    before === play.disturbances() &&
    (await Promise.all(instances.map((one) => one.ready()))).every(
      (ready) => ready?.redis === 'up',
    );
  const wasQuiet = await quiet();
  const answers = await Promise.all(
    Array.from({ length: GUESSES }, (_, number) =>
      play.client.ask(entry, 'POST', '/api/login', {
        target: number % instances.length,
        from: addressOf(entry),
        body: { account, password: `guess ${number}` },
        may: ['bad_credentials', 'login_throttled'],
      }),
    ),
  );
  const wrong = answers.filter((answer) => answer?.error === 'bad_credentials').length;
  if (wrong > MOST_GUESSES && wasQuiet && (await quiet()))
    play.violate('more guesses than the limit', `${wrong} of ${GUESSES} were looked at`, entry);
}

export async function disable(play, entry) {
  const { database } = play.stage;
  const player = await database.createPlayer({ account: `off_${entry.n}`, password: PASSWORD });
  player.token = tokenOf(player);
  const body = { server_id: play.stage.zones[entry.zone] };
  const options = { token: player.token, body, may: ZONE_ERRORS };
  await play.client.ask(entry, 'POST', '/api/enter_game', options);
  await database.query('UPDATE player SET disabled_at = UTC_TIMESTAMP(3) WHERE id = ?', [
    player.id,
  ]);
  play.model.disabled.push({ entry, player });
  await expectDisabled(play, entry, player);
}

/** On every instance: no token, no password, and no old-format token of the account works. */
export async function expectDisabled(play, entry, { account, token }) {
  const may = ['account_disabled', 'token_invalid', 'server_unavailable', 'unauthorized'];
  const server_id = play.stage.zones[entry.zone];
  for (const [target] of play.stage.instances.entries()) {
    const from = addressOf(entry);
    const answers = await Promise.all([
      play.client.ask(entry, 'POST', '/api/enter_game', {
        target,
        from,
        token,
        body: { server_id },
        may,
      }),
      play.client.ask(entry, 'POST', '/api/check', { target, from, body: { account, token }, may }),
      play.client.ask(entry, 'POST', '/api/login', {
        target,
        from,
        body: { account, password: PASSWORD },
        may,
      }),
    ]);
    const served = answers.find((answer) => answer?.status === 200);
    if (served) play.violate('a disabled account was served', served.text, entry);
  }
}

async function codeFor(play, entry, email) {
  const { mail } = play.stage;
  const target = entry.target % play.stage.instances.length;
  const options = { target, from: addressOf(entry), body: { email } };
  const may = ['mail_unavailable', 'code_throttled'];
  const sent = await play.client.ask(entry, 'POST', '/api/send_code', { ...options, may });
  const deadline = Date.now() + MAIL_WITHIN_MS;
  while (sent?.status === 200 && Date.now() < deadline) {
    const code = mail.mailsTo(email).at(-1)?.code;
    if (code) return code;
    await pause(50);
  }
  return undefined;
}

function resetWith(play, entry, body, copy = 0) {
  const target = (entry.target + copy) % play.stage.instances.length;
  const options = {
    target,
    from: addressOf(entry),
    body,
    may: ['code_invalid', 'account_disabled'],
  };
  return play.client.ask(entry, 'POST', '/api/reset_password', options);
}

/** An address that no other operation comes from. */
export function addressOf({ n }) {
  return `10.${100 + ((n >> 16) % 100)}.${(n >> 8) % 256}.${n % 256}`;
}
