// What a player changes on his own page: the password, the mailbox, the links.
import { passwordHash } from './account-database.mjs';
import { addressOf } from './account-operations.mjs';
import { codeFor, registerWith, resetWith } from './code-operations.mjs';
import { expectOwner, land } from './forum-operations.mjs';
import { tokenOf } from './secrets.mjs';
import { expectSignedOut, signIn } from './session-operations.mjs';
import { PASSWORD } from './stage.mjs';

/** Two browsers, one or both of which change the password: one does, and everybody else is out. */
export async function password(play, entry) {
  const player = await create(play, `pass_${entry.n}`);
  const { account } = player;
  const browsers = [await enter(play, entry, account), await enter(play, entry, account, 1)];
  if (!browsers.every(Boolean)) return;
  const racing = Math.min(entry.copies, 2);
  const may =
    racing > 1 ? ['login_throttled', 'unauthorized', 'bad_credentials'] : ['login_throttled'];
  const answers = await Promise.all(
    browsers.slice(0, racing).map(({ token }, number) =>
      ask(play, entry, 'POST', '/api/account/password', {
        copy: number,
        token,
        body: { old_password: PASSWORD, password: next(number) },
        may,
      }),
    ),
  );
  const winners = answers.flatMap((answer, number) => (isDone(answer) ? [number] : []));
  if (winners.length > 1) play.violate('a password was changed twice', account, entry);
  if (winners.length === 0) return;
  const [winner] = winners;
  const stays = { token: answers[winner].data.token, cookie: browsers[winner].cookie };
  const out = {
    entry,
    account,
    tokens: [...browsers.map(({ token }) => token), tokenOf(player)],
    cookies: [browsers[1 - winner].cookie],
  };
  play.model.signedOut.push(out);
  await expectSignedOut(play, out);
  await expectPassword(play, entry, account, next(winner), stays);
}

/** The new one serves, and so does the session that set it; the old one does not. */
async function expectPassword(play, entry, account, right, { token, cookie }) {
  const may = ['login_throttled'];
  await ask(play, entry, 'POST', '/api/login', { body: { account, password: right }, may });
  await ask(play, entry, 'POST', '/api/session/confirm', { token, body: { password: right }, may });
  await ask(play, entry, 'POST', '/api/session/refresh', { cookie });
  const shown = await ask(play, entry, 'GET', '/api/account', { token });
  if (shown?.data && (shown.data.account !== account || !shown.data.has_password))
    play.violate('another account is shown', shown.text, entry);
  const old = await Promise.all([
    ask(play, entry, 'POST', '/api/login', {
      copy: 1,
      body: { account, password: PASSWORD },
      may: [...may, 'bad_credentials'],
    }),
    ask(play, entry, 'POST', '/api/check', {
      copy: 1,
      body: { account, token: passwordHash(PASSWORD) },
      may: ['token_invalid'],
    }),
  ]);
  const served = old.find(isDone);
  if (served) play.violate('an old password served', served.text, entry);
}

/** One code, which a player wants for his mailbox while a stranger registers with it. */
export async function email(play, entry) {
  const { account } = await create(play, `mail_${entry.n}`);
  const browser = await enter(play, entry, account);
  const mailbox = `to_${entry.n}@mail.example`;
  const code = browser && (await codeFor(play, entry, mailbox));
  if (!code) return;
  const { token } = browser;
  const [changed, registered] = await Promise.all([
    ask(play, entry, 'POST', '/api/account/email', {
      token,
      body: { email: mailbox, code, password: PASSWORD },
      may: ['code_invalid', 'email_taken', 'login_throttled'],
    }),
    registerWith(play, entry, { account: `new_${entry.n}_m`, email: mailbox, code }, 1),
  ]);
  if (isDone(changed)) play.model.mailboxes.push({ entry, account, email: mailbox });
  if (!isDone(changed) && !isDone(registered)) return;
  const owner = isDone(changed) ? account : registered.data.account;
  const form = { account: owner, email: mailbox, code, password: 'another one' };
  const served = [changed, registered, await resetWith(play, entry, form)].filter(isDone);
  if (served.length > 1) play.violate('a code served twice', mailbox, entry);
  const shown =
    isDone(changed) &&
    (await ask(play, entry, 'GET', '/api/account', { token, may: ['unauthorized'] }));
  if (shown?.data && shown.data.email !== mailbox)
    play.violate('another mailbox', shown.text, entry);
}

/** Somebody who is signed in links an identity of the forum, and half of the time removes it again. */
export async function tie(play, entry) {
  const { account } = await create(play, `jwt_${entry.n}`);
  const person = `own_${entry.n}`;
  const isRecent = fromSignIn(play, entry);
  const browser = await enter(play, entry, account);
  const ticket = browser && (await land(play, entry, person));
  if (!ticket) return;
  const { token } = browser;
  const answers = await together(entry, (copy) => {
    const may = ['ticket_invalid', 'sign_in_again'];
    return ask(play, entry, 'POST', '/api/forumauth/bind', { copy, token, body: { ticket }, may });
  });
  answers.forEach(isRecent);
  const served = answers.filter(isDone);
  if (served.length > 1) play.violate('a ticket served twice', person, entry);
  if (served.length === 0) return;
  const [{ data, text }] = served;
  if (data.account !== account || data.created)
    play.violate('a link to another account', text, entry);
  await expectOwner(play, entry, data, person);
  const link = { entry, connect_id: person, account };
  if (entry.keyed) play.model.links.push(link);
  else await remove(play, entry, { ...data, isRecent }, link);
}

/** A link that the game server made, removed by the player. */
export async function unbind(play, entry) {
  const { account } = await create(play, `free_${entry.n}`);
  const body = { account, connect_id: account };
  const made = await ask(play, entry, 'POST', '/api/bind_account', { body, from: undefined });
  const isRecent = fromSignIn(play, entry);
  const browser = isDone(made) && (await enter(play, entry, account));
  const link = { entry, connect_id: account, account };
  if (browser) await remove(play, entry, { ...browser, isRecent }, link);
}

/** From several tabs at once: one removes it. */
async function remove(play, entry, { token, isRecent }, link) {
  const body = { provider: 'forum' };
  const may = ['link_not_found', 'sign_in_again'];
  const answers = await together(entry, (copy) =>
    ask(play, entry, 'POST', '/api/unbind', { copy, token, body, may }),
  );
  answers.forEach(isRecent);
  const served = answers.filter(isDone);
  if (served.length > 1) play.violate('a link removed twice', link.connect_id, entry);
  if (answers.every((answer) => answer?.error === 'link_not_found'))
    play.violate('a link that nobody has removed is gone', link.connect_id, entry);
  if (served.length === 0) return;
  play.model.unlinked.push(link);
  const path = `/api/link?connect_id=${link.connect_id}`;
  const found = await ask(play, entry, 'GET', path, { from: undefined, may: ['link_not_found'] });
  if (isDone(found)) play.violate('a removed link served', found.text, entry);
}

/** Made before a sign-in, judges `sign_in_again` a moment after it: only a stepped clock explains that. */
function fromSignIn(play, entry) {
  const isClockTrue = play.trueClockFrom();
  return (answer) => {
    if (answer?.error === 'sign_in_again' && isClockTrue())
      play.violate('a fresh sign-in was forgotten', answer.text, entry);
  };
}

function create(play, account) {
  return play.stage.database.createPlayer({ account, password: PASSWORD });
}

function enter(play, entry, account, copy = 0) {
  return signIn(play, entry, account, (entry.target + copy) % play.stage.instances.length);
}

function together({ copies }, one) {
  return Promise.all(Array.from({ length: copies }, (_, copy) => one(copy)));
}

function ask(play, entry, method, path, { copy = 0, ...options }) {
  const target = (entry.target + copy) % play.stage.instances.length;
  return play.client.ask(entry, method, path, { target, from: addressOf(entry), ...options });
}

function next(number) {
  return `the new one ${number}`;
}

function isDone(answer) {
  return answer?.status === 200;
}
