// Refreshes sessions and signs out. After a sign-out, no instance may accept the session's tokens and cookies.
import { addressOf } from './account-operations.mjs';
import { PASSWORD } from './stage.mjs';

/** The service accepts a replaced cookie for 30 s, which is longer than this. */
const GRACE_MS = 20_000;
const NAME = '__Secure-gatehouse_session=';

export async function session(play, entry) {
  const { database, instances } = play.stage;
  const account = `stay_${entry.n}`;
  await database.createPlayer({ account, password: PASSWORD });
  const target = entry.target % instances.length;
  const first = await signIn(play, entry, account, target);
  if (!first) return;
  const [startedAt, areClocksRight] = [performance.now(), play.watchClocks()];
  const mustServe = () => performance.now() - startedAt < GRACE_MS && areClocksRight();
  const held = { tokens: [first.token], cookies: [first.cookie] };
  await refreshTogether(play, entry, held, mustServe);
  await expectServed(play, entry, held.tokens.at(-1), mustServe);
  const racing =
    entry.copies > 1 ? refresh(play, entry, held, (target + 1) % instances.length) : undefined;
  const isOut = await signOut(play, entry, account, { ...held, target, mustServe });
  await racing;
  if (!isOut) return;
  const out = { entry, account, ...held };
  play.model.signedOut.push(out);
  await expectSignedOut(play, out);
}

/** Expects every instance to reject the session's tokens and cookies. */
export async function expectSignedOut(play, { entry, account, tokens, cookies }) {
  const from = addressOf(entry);
  for (const [target] of play.stage.instances.entries()) {
    const options = { target, from };
    const answers = await Promise.all([
      ...tokens.map((token) =>
        play.client.ask(entry, 'GET', '/api/sessions', {
          ...options,
          token,
          may: ['unauthorized'],
        }),
      ),
      ...tokens.slice(-1).map((token) =>
        play.client.ask(entry, 'POST', '/api/check', {
          ...options,
          body: { account, token },
          may: ['token_invalid'],
        }),
      ),
      ...[...new Set(cookies)].map((cookie) =>
        play.client.ask(entry, 'POST', '/api/session/refresh', {
          ...options,
          cookie,
          may: ['session_ended'],
        }),
      ),
    ]);
    const served = answers.find((answer) => answer?.status === 200);
    if (served) play.violate('served after signing out', `${account}: ${served.text}`, entry);
  }
}

/** Returns the token and cookie of a new session, or undefined if the sign-in fails. */
export async function signIn(play, entry, account, target) {
  const body = { account, password: PASSWORD, remember: true };
  const options = { target, from: addressOf(entry), body, may: ['login_throttled'] };
  const answer = await play.client.ask(entry, 'POST', '/api/login', options);
  if (answer?.status !== 200) return undefined;
  const cookie = cookieOf(answer);
  if (!cookie) play.violate('a login without a session cookie', answer.text, entry);
  return cookie && { token: answer.data.token, cookie };
}

/** Refreshes one session from several tabs concurrently. All refreshes must succeed and get the same cookie. */
async function refreshTogether(play, entry, held, mustServe) {
  const { instances } = play.stage;
  const answers = await Promise.all(
    Array.from({ length: entry.copies }, (_, tab) =>
      refresh(play, entry, held, (entry.target + tab) % instances.length),
    ),
  );
  const next = new Set(answers.filter((answer) => answer?.status === 200).map(cookieOf));
  if (next.size > 1 && mustServe())
    play.violate('tabs got different cookies', [...next].join(), entry);
  const ended = answers.find((answer) => answer?.error === 'session_ended');
  if (ended && mustServe()) play.violate('a session ended unexpectedly', ended.text, entry);
}

async function refresh(play, entry, held, target) {
  const answer = await play.client.ask(entry, 'POST', '/api/session/refresh', {
    target,
    from: addressOf(entry),
    cookie: held.cookies.at(-1),
    may: ['session_ended'],
  });
  if (answer?.status !== 200) return answer;
  held.tokens.push(answer.data.token);
  held.cookies.push(cookieOf(answer));
  return answer;
}

async function expectServed(play, entry, token, mustServe) {
  const options = { token, from: addressOf(entry), may: ['unauthorized'] };
  const answer = await play.client.ask(entry, 'GET', '/api/sessions', options);
  if (answer?.error === 'unauthorized' && mustServe())
    play.violate('a session ended unexpectedly', answer.text, entry);
  if (answer?.data && !answer.data.sessions.some(({ current }) => current))
    play.violate('a session is not listed', answer.text, entry);
}

/**
 * Signs out by token, by cookie, or from another device (one session or all others). Returns whether the sign-out
 * succeeded.
 */
async function signOut(play, entry, account, { tokens, cookies, target, mustServe }) {
  const from = addressOf(entry);
  const way = ['token', 'cookie', 'others', 'one'][entry.role % 4];
  const ask = (method, path, options) =>
    play.client.ask(entry, method, path, { target, from, ...options });
  if (way === 'token') return isDone(await ask('POST', '/api/logout', { token: tokens.at(-1) }));
  if (way === 'cookie') return isDone(await ask('POST', '/api/logout', { cookie: cookies.at(-1) }));
  const other = await signIn(play, entry, account, target);
  if (!other) return false;
  const { token } = other;
  if (way === 'others') return isDone(await ask('DELETE', '/api/sessions', { token }));
  const listed = (await ask('GET', '/api/sessions', { token }))?.data?.sessions;
  const found = listed?.find(({ current }) => !current);
  if (listed && !found && mustServe()) play.violate('a session is not listed', account, entry);
  if (!found) return false;
  const may = ['session_not_found'];
  const ended = await ask('DELETE', `/api/sessions/${found.id}`, { token, may });
  if (ended?.error === may[0] && mustServe())
    play.violate('a session ended unexpectedly', ended.text, entry);
  if (isDone(ended)) await ask('GET', '/api/sessions', { token });
  return isDone(ended);
}

function isDone(answer) {
  return answer?.status === 200;
}

function cookieOf({ cookies }) {
  return cookies.find((cookie) => cookie.startsWith(NAME) && cookie.length > NAME.length);
}
