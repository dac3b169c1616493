// Codes by mail: one serves once, for one of all who come with it.
import { setTimeout as pause } from 'node:timers/promises';
import { passwordHash } from './account-database.mjs';
import { addressOf } from './account-operations.mjs';
import { tokenOf } from './secrets.mjs';
import { PASSWORD } from './stage.mjs';

const MAIL_WITHIN_MS = 8000;

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
      const options = { target, from: addressOf(entry), body, may: [...may, 'server_unavailable'] };
      return play.client.ask(entry, 'POST', '/api/register', options);
    }),
  );
  const served = answers.filter((answer) => answer?.status === 200);
  play.model.registered.push(
    ...served.map(({ data }) => ({ entry, account: data.account, email })),
  );
  if (served.length === 0) return;
  const again = { account: served[0].data.account, email, code, password: 'another one' };
  const second = await resetWith(play, entry, again);
  if (served.length + (second?.status === 200 ? 1 : 0) > 1)
    play.violate('a code served twice', `${email}: ${names.join(', ')}`, entry);
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

async function codeFor(play, entry, email) {
  const { mail } = play.stage;
  const target = entry.target % play.stage.instances.length;
  const options = { target, from: addressOf(entry), body: { email } };
  const may = ['mail_unavailable', 'code_throttled'];
  const sent = await play.client.ask(entry, 'POST', '/api/send_code', { ...options, may });
  const deadline = Date.now() + MAIL_WITHIN_MS;
  if (sent?.status !== 200) return undefined;
  while (Date.now() < deadline) {
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
