// Tests codes sent by e-mail. A code works once, even for concurrent requests.
import { setTimeout as pause } from 'node:timers/promises';
import { passwordHash } from './account-database.mjs';
import { addressOf } from './account-operations.mjs';
import { tokenOf } from './secrets.mjs';
import { PASSWORD } from './stage.mjs';

const LATE_MAIL_MS = 1000;
const REGISTER_ERRORS = [
  'code_invalid',
  'email_taken',
  'account_taken',
  'registration_cap_reached',
  'server_unavailable',
];

/** Sends several concurrent registrations with one code. */
export async function register(play, entry) {
  const email = `new_${entry.n}@mail.example`;
  const code = await codeFor(play, entry, email);
  if (!code) return;
  const names = Array.from({ length: entry.copies }, (_, copy) => `new_${entry.n}_${copy}`);
  const answers = await Promise.all(
    names.map((account, copy) => registerWith(play, entry, { account, email, code }, copy)),
  );
  const served = answers.filter((answer) => answer?.status === 200);
  if (served.length === 0) return;
  const again = { account: served[0].data.account, email, code, password: 'another one' };
  const second = await resetWith(play, entry, again);
  if (served.length + (second?.status === 200 ? 1 : 0) > 1)
    play.violate('a code was used twice', `${email}: ${names.join(', ')}`, entry);
}

/** Sends several concurrent password resets with one code. The account keeps or drops its link, as requested. */
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
  const connect_id = await createLink(play, entry, account);
  const links = entry.keyed ? { drop_links: true } : {};
  const passwords = ['first one', 'second one', 'third one'];
  const answers = await Promise.all(
    passwords.map((password, copy) =>
      resetWith(play, entry, { account, email, code, password, ...links }, copy),
    ),
  );
  const served = answers.filter((answer) => answer?.status === 200);
  if (served.length > 1) play.violate('a code was used twice', email, entry);
  if (served.length === 0) return;
  const kept = served[0].data.bindings.length;
  if (connect_id && kept !== (entry.keyed ? 0 : 1))
    play.violate('a reset left the wrong links', served[0].text, entry);
  if (connect_id)
    (entry.keyed ? play.model.unlinked : play.model.links).push({ entry, connect_id, account });
  const stale = [tokenOf(player), passwordHash(PASSWORD)];
  for (const token of stale) {
    const options = { from: addressOf(entry), body: { account, token }, may: ['token_invalid'] };
    const answer = await play.client.ask(entry, 'POST', '/api/check', options);
    if (answer?.status === 200)
      play.violate('a token from before the reset was accepted', answer.text, entry);
  }
}

/** Requests a code and returns it from the e-mail, or returns undefined. */
export async function codeFor(play, entry, email) {
  const { mail, instances } = play.stage;
  const target = entry.target % instances.length;
  const options = { target, from: addressOf(entry), body: { email } };
  const may = ['mail_unavailable', 'code_throttled'];
  const sent = await play.client.ask(entry, 'POST', '/api/send_code', { ...options, may });
  const receivedCode = () => mail.mailsTo(email).findLast(({ code }) => code !== '')?.code;
  if (sent?.status === 200 && !receivedCode())
    play.violate('send_code succeeded without a mail', email, entry);
  if (sent?.error === 'mail_unavailable') await expectNoCode(play, entry, email, receivedCode);
  return sent?.status === 200 ? receivedCode() : undefined;
}

/** An e-mail may arrive although the mail server did not confirm it. The code in such an e-mail must not work. */
async function expectNoCode(play, entry, email, receivedCode) {
  await pause(LATE_MAIL_MS);
  const code = receivedCode();
  if (!code) return;
  const stranger = { account: `new_${entry.n}_x`, email, code };
  const answer = await registerWith(play, entry, stranger);
  if (answer?.status === 200)
    play.violate('a code was accepted although sending it failed', email, entry);
}

/** Links an identity as a game server does. Returns the identity, or undefined. */
async function createLink(play, entry, account) {
  const body = { account, connect_id: account };
  const answer = await play.client.ask(entry, 'POST', '/api/bind_account', { body });
  return answer?.status === 200 ? account : undefined;
}

export async function registerWith(play, entry, { account, email, code }, copy = 0) {
  const { instances, servers } = play.stage;
  const answer = await play.client.ask(entry, 'POST', '/api/register', {
    target: (entry.target + copy) % instances.length,
    from: addressOf(entry),
    body: { account, password: PASSWORD, email, code, server_id: servers[entry.server] },
    may: REGISTER_ERRORS,
  });
  if (answer?.status === 200) play.model.registered.push({ entry, account, email });
  return answer;
}

export function resetWith(play, entry, body, copy = 0) {
  const target = (entry.target + copy) % play.stage.instances.length;
  const options = {
    target,
    from: addressOf(entry),
    body,
    may: ['code_invalid', 'account_disabled'],
  };
  return play.client.ask(entry, 'POST', '/api/reset_password', options);
}
