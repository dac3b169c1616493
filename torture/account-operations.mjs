// Checks logins, tokens and disabled accounts.
import { passwordHash } from './account-database.mjs';
import { tokenOf } from './secrets.mjs';
import { PASSWORD } from './stage.mjs';
import { expectedNames } from './twins.mjs';

const SERVER_ERRORS = ['server_unavailable', 'account_disabled'];

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
  if (answer?.status === 200) play.violate('a wrong password was accepted', answer.text, entry);
}

export async function check(play, entry) {
  const player = play.stage.players[entry.player];
  const { account, token, password, from } = player;
  const right = { account, token: entry.keyed ? token : passwordHash(password) };
  expectName(play, entry, player, await askCheck(play, entry, right, { from }));
  const wrong = { account, token: passwordHash('wrong') };
  const options = { from: addressOf(entry), may: ['token_invalid'] };
  const answer = await askCheck(play, entry, wrong, options);
  if (answer?.status === 200) play.violate('a wrong token was accepted', answer.text, entry);
}

/** Sends GET or POST, because game servers use both methods. */
function askCheck(play, entry, pair, options) {
  if (entry.role % 2 > 0)
    return play.client.ask(entry, 'POST', '/api/check', { ...options, body: pair });
  const path = `/api/check?${new URLSearchParams(pair)}`;
  return play.client.ask(entry, 'GET', path, options);
}

export async function enter(play, entry) {
  const player = play.stage.players[entry.player];
  const { token, from, id } = player;
  const body = { server_id: play.stage.servers[entry.server] };
  const options = { token, from, body, may: SERVER_ERRORS };
  play.model.entries(id).tried++;
  const answer = await play.client.ask(entry, 'POST', '/api/enter_game', options);
  if (answer?.status !== 200) return;
  play.model.entries(id).done++;
  expectName(play, entry, player, answer);
  const mine = await play.client.ask(entry, 'GET', '/api/server/mine', { token, from });
  const entered = mine?.data?.servers?.find((server) => server.id === body.server_id);
  if (mine?.data && !(entered?.enter_count <= play.model.entries(id).tried))
    play.violate('an entered server is not listed', mine.text, entry);
}

/** Checks the account name, by which the game looks up a player's roles. */
function expectName(play, entry, player, answer) {
  if (answer?.data && !expectedNames(player).includes(answer.data.account))
    play.violate('wrong game account in the response', `${player.account}: ${answer.text}`, entry);
}

export async function disable(play, entry) {
  const { database } = play.stage;
  const player = await database.createPlayer({ account: `off_${entry.n}`, password: PASSWORD });
  player.token = tokenOf(player);
  const body = { server_id: play.stage.servers[entry.server] };
  const options = { token: player.token, body, may: SERVER_ERRORS };
  await play.client.ask(entry, 'POST', '/api/enter_game', options);
  await database.query('UPDATE player SET disabled_at = UTC_TIMESTAMP(3) WHERE id = ?', [
    player.id,
  ]);
  play.model.disabled.push({ entry, player });
  await expectDisabled(play, entry, player);
}

/** Expects every instance to reject the account's token and password. */
export async function expectDisabled(play, entry, { account, token }) {
  const may = ['account_disabled', 'token_invalid', 'server_unavailable', 'unauthorized'];
  const server_id = play.stage.servers[entry.server];
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

/** Returns a client address that no other operation uses. */
export function addressOf({ n }) {
  return `10.${100 + ((n >> 16) % 100)}.${(n >> 8) % 256}.${n % 256}`;
}
