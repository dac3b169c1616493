// Tests the changes of password, e-mail address and links that players make on the account page.
import { passwordHash } from './account-database.mjs';
import { addressOf } from './account-operations.mjs';
import { codeFor, registerWith, resetWith } from './code-operations.mjs';
import { expectOwner, land } from './forum-operations.mjs';
import { tokenOf } from './secrets.mjs';
import { expectSignedOut, signIn } from './session-operations.mjs';
import { PASSWORD } from './stage.mjs';

/** Changes the password from one or two browsers. One change succeeds, and all other sessions end. */
export async function password(play, entry) {
  const player = await createPlayer(play, `pass_${entry.n}`);
  const { account } = player;
  const browsers = [
    await openBrowser(play, entry, account),
    await openBrowser(play, entry, account, 1),
  ];
  if (!browsers.every(Boolean)) return;
  const racing = Math.min(entry.copies, 2);
  const may =
    racing > 1 ? ['login_throttled', 'unauthorized', 'bad_credentials'] : ['login_throttled'];
  const answers = await Promise.all(
    browsers.slice(0, racing).map(({ token }, number) =>
      ask(play, entry, 'POST', '/api/account/password', {
        copy: number,
        token,
        body: { old_password: PASSWORD, password: newPassword(number) },
        may,
      }),
    ),
  );
  const winners = answers.flatMap((answer, number) => (isDone(answer) ? [number] : []));
  if (winners.length > 1) play.violate('a password was changed twice', account, entry);
  if (winners.length === 0) return;
  const [winner] = winners;
  const kept = { token: answers[winner].data.token, cookie: browsers[winner].cookie };
  const out = {
    entry,
    account,
    tokens: [...browsers.map(({ token }) => token), tokenOf(player)],
    cookies: [browsers[1 - winner].cookie],
  };
  play.model.signedOut.push(out);
  await expectSignedOut(play, out);
  await expectPassword(play, entry, account, newPassword(winner), kept);
}

/** Expects the new password and the session that set it to work, and expects the old password to be rejected. */
async function expectPassword(play, entry, account, right, { token, cookie }) {
  const may = ['login_throttled'];
  await ask(play, entry, 'POST', '/api/login', { body: { account, password: right }, may });
  await ask(play, entry, 'POST', '/api/session/confirm', { token, body: { password: right }, may });
  await ask(play, entry, 'POST', '/api/session/refresh', { cookie });
  const shown = await ask(play, entry, 'GET', '/api/account', { token });
  if (shown?.data && (shown.data.account !== account || !shown.data.has_password))
    play.violate('the wrong account was shown', shown.text, entry);
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
  if (served) play.violate('an old password was accepted', served.text, entry);
}

/** Uses one code for a change of the e-mail address and for a registration at the same time. */
export async function email(play, entry) {
  const { account } = await createPlayer(play, `mail_${entry.n}`);
  const browser = await openBrowser(play, entry, account);
  const newEmail = `to_${entry.n}@mail.example`;
  const code = browser && (await codeFor(play, entry, newEmail));
  if (!code) return;
  const { token } = browser;
  const [changed, registered] = await Promise.all([
    ask(play, entry, 'POST', '/api/account/email', {
      token,
      body: { email: newEmail, code, password: PASSWORD },
      may: ['code_invalid', 'email_taken', 'login_throttled'],
    }),
    registerWith(play, entry, { account: `new_${entry.n}_m`, email: newEmail, code }, 1),
  ]);
  if (isDone(changed)) play.model.emails.push({ entry, account, email: newEmail });
  if (!isDone(changed) && !isDone(registered)) return;
  const owner = isDone(changed) ? account : registered.data.account;
  const form = { account: owner, email: newEmail, code, password: 'another one' };
  const served = [changed, registered, await resetWith(play, entry, form)].filter(isDone);
  if (served.length > 1) play.violate('a code was used twice', newEmail, entry);
  const shown =
    isDone(changed) &&
    (await ask(play, entry, 'GET', '/api/account', { token, may: ['unauthorized'] }));
  if (shown?.data && shown.data.email !== newEmail)
    play.violate('the wrong email was shown', shown.text, entry);
}

/** Links a forum identity to a signed-in player and sometimes removes the link again. */
export async function tie(play, entry) {
  const { account } = await createPlayer(play, `jwt_${entry.n}`);
  const person = `own_${entry.n}`;
  const areClocksRight = play.watchClocks();
  const expectRecent = watchLogin(play, entry);
  const browser = await openBrowser(play, entry, account);
  const ticket = browser && (await land(play, entry, person));
  if (!ticket) return;
  const { token } = browser;
  const answers = await concurrently(entry, (copy) => {
    const may = ['ticket_invalid', 'sign_in_again'];
    return ask(play, entry, 'POST', '/api/forumauth/bind', { copy, token, body: { ticket }, may });
  });
  answers.forEach(expectRecent);
  const served = answers.filter(isDone);
  if (served.length > 1) play.violate('a ticket was used twice', person, entry);
  if (served.length === 0) return;
  const [{ data, text }] = served;
  if (data.account !== account || data.created)
    play.violate('linked to the wrong account', text, entry);
  await expectOwner(play, entry, { ...data, areClocksRight }, person);
  const link = { entry, connect_id: person, account };
  if (entry.keyed) play.model.links.push(link);
  else await remove(play, entry, { ...data, expectRecent }, link);
}

/** Removes a link that a game server created. */
export async function unbind(play, entry) {
  const { account } = await createPlayer(play, `free_${entry.n}`);
  const body = { account, connect_id: account };
  const linked = await ask(play, entry, 'POST', '/api/bind_account', { body, from: undefined });
  const expectRecent = watchLogin(play, entry);
  const browser = isDone(linked) && (await openBrowser(play, entry, account));
  const link = { entry, connect_id: account, account };
  if (browser) await remove(play, entry, { ...browser, expectRecent }, link);
}

/** Removes the link from several tabs concurrently. One request succeeds. */
async function remove(play, entry, { token, expectRecent }, link) {
  const body = { provider: 'forum' };
  const may = ['link_not_found', 'sign_in_again'];
  const answers = await concurrently(entry, (copy) =>
    ask(play, entry, 'POST', '/api/unbind', { copy, token, body, may }),
  );
  answers.forEach(expectRecent);
  const served = answers.filter(isDone);
  if (served.length > 1) play.violate('a link was removed twice', link.connect_id, entry);
  if (answers.every((answer) => answer?.error === 'link_not_found'))
    play.violate('a link vanished', link.connect_id, entry);
  if (served.length === 0) return;
  play.model.unlinked.push(link);
  const path = `/api/link?connect_id=${link.connect_id}`;
  const found = await ask(play, entry, 'GET', path, { from: undefined, may: ['link_not_found'] });
  if (isDone(found)) play.violate('a removed link was found', found.text, entry);
}

/**
 * Call this function before a login. The returned function reports a `sign_in_again` error right after the login,
 * unless a clock was stepped.
 */
function watchLogin(play, entry) {
  const areClocksRight = play.watchClocks();
  return (answer) => {
    if (answer?.error === 'sign_in_again' && areClocksRight())
      play.violate('sign_in_again right after a login', answer.text, entry);
  };
}

function createPlayer(play, account) {
  return play.stage.database.createPlayer({ account, password: PASSWORD });
}

function openBrowser(play, entry, account, copy = 0) {
  return signIn(play, entry, account, (entry.target + copy) % play.stage.instances.length);
}

function concurrently({ copies }, one) {
  return Promise.all(Array.from({ length: copies }, (_, copy) => one(copy)));
}

function ask(play, entry, method, path, { copy = 0, ...options }) {
  const target = (entry.target + copy) % play.stage.instances.length;
  return play.client.ask(entry, method, path, { target, from: addressOf(entry), ...options });
}

function newPassword(number) {
  return `the new one ${number}`;
}

function isDone(answer) {
  return answer?.status === 200;
}
