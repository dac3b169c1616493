// Withdrawals, and what a player may look at of them.
import { setTimeout as pause } from 'node:timers/promises';
import { takesBack } from './fault-kinds.mjs';
import { ROLES } from './history.mjs';
import { tokenOf } from './secrets.mjs';
import { DAILY_MAX } from './settings-file.mjs';
import { BALANCE, PASSWORD, createRoles, roleOf } from './stage.mjs';
import { isHis, wantedRole } from './twins.mjs';

const RUSH_ROLES = 6;
const RUSH_AMOUNT = 2_500_000;
const RUSH_BALANCE = 100_000_000;
const PAGE = 3;

const SERVER_ERRORS = ['server_unavailable', 'game_server_unavailable'];
const WITHDRAW_ERRORS = [
  ...SERVER_ERRORS,
  'withdrawal_open',
  'idempotency_conflict',
  'insufficient_balance',
  'amount_out_of_range',
  'withdrawal_refused',
  'withdrawal_disabled',
];

const TURNED_AWAY = [
  'server_unavailable',
  'withdrawal_open',
  'withdrawal_disabled',
  'amount_out_of_range',
  'role_not_found',
  'service_unavailable',
];

export async function withdraw(play, entry) {
  const player = play.stage.players[entry.player];
  const [owner, slot] = wantedRole(player, entry);
  const role = roleOf(owner, entry.server, slot);
  await request(play, entry, player, role, entry.amount, BALANCE);
}

/** More than the daily limit allows, from several roles at once, at all instances. */
export async function rush(play, entry) {
  const { database, instances } = play.stage;
  const player = await database.createPlayer({ account: `rush_${entry.n}`, password: PASSWORD });
  player.token = tokenOf(player);
  const own = Array.from({ length: RUSH_ROLES }, (_, slot) => 100_000_000 + entry.n * 10 + slot);
  await createRoles(
    play.stage,
    play.stage.servers[entry.server],
    own,
    player.account,
    RUSH_BALANCE,
  );
  await Promise.all(
    own.map((role, slot) => {
      const target = slot % instances.length;
      const one = { ...entry, target, copies: 1, patience: 1 };
      return request(play, one, player, role, RUSH_AMOUNT + slot, RUSH_BALANCE);
    }),
  );
}

/** With another `server_id` than that of the entry's server where the role is known by it, too. */
export async function request(play, entry, player, role, amount, balance, server_id) {
  const { game, instances, servers } = play.stage;
  const key = entry.keyed ? `key-${entry.n}-${role}-${amount}` : undefined;
  const intent = {
    entry,
    player,
    role,
    server: entry.server,
    amount,
    key,
    sends: 0,
    answers: [],
  };
  play.model.intents.push(intent);
  play.model.roles.set(role, { server: entry.server, player: player.id, balance });
  game.expect(role, amount, entry.game);

  const [isQuiet, isOwn] = [play.quietFrom(), isHis(player, role)];
  const may = isOwn ? WITHDRAW_ERRORS : [...WITHDRAW_ERRORS, 'role_not_found'];
  const body = { server_id: server_id ?? servers[entry.server], role_id: role, amount };
  const copy = async (number) => {
    for (let attempt = 0; attempt < entry.patience; attempt++) {
      const target = (entry.target + number + attempt) % (instances.length + 1);
      intent.sends++;
      const options = { target, token: player.token, from: player.from, body, key };
      const answer = await play.client.ask(entry, 'POST', '/api/game/withdraw', {
        ...options,
        may,
      });
      judgeAnswer(play, intent, answer, isOwn);
      const told = answer ? (answer.error ?? String(answer.status)) : 'nothing';
      play.counts.answers[told] = (play.counts.answers[told] ?? 0) + 1;
      if (answer) intent.answers.push(answer);
      // Without a key, asking again would be another withdrawal.
      if (answer || !key) return;
      await pause(300);
    }
  };
  await Promise.all(Array.from({ length: entry.copies }, (_, number) => copy(number)));
  intent.isFaulted = entry.game !== 'none' || !isQuiet();
  // Those that were turned away before there was a row are not counted.
  if (intent.isFaulted && !intent.answers.every(({ error }) => TURNED_AWAY.includes(error)))
    play.counts.faulted++;
  return intent;
}

/** The one that was asked for, and of the player's own role. */
function judgeAnswer(play, { entry, player, role, amount }, answer, isOwn) {
  if (!answer?.data) return;
  const { role_id, amount: taken } = answer.data;
  if (role_id !== role || taken !== amount)
    play.violate('the player was told of another', answer.text, entry);
  if (!isOwn)
    play.violate("another's role was open to", `${player.account}: ${answer.text}`, entry);
}

export async function roles(play, entry) {
  const { players, servers } = play.stage;
  const player = players[entry.player];
  const { token, from, hasRoles, isGiven } = player;
  const path = `/api/game/roles?server_id=${servers[entry.server]}`;
  const answer = await play.client.ask(entry, 'GET', path, { token, from, may: SERVER_ERRORS });
  const listed = answer?.data?.roles;
  if (!listed) return;
  if (listed.some(({ role_id }) => !isHis(player, role_id)))
    play.violate("another player's role", answer.text, entry);
  if (listed.some(({ balance }) => balance > BALANCE))
    play.violate('a balance that grew', answer.text, entry);
  if (hasRoles && isGiven && listed.length !== ROLES)
    play.violate('not all of the roles', answer.text, entry);
}

export async function history(play, entry) {
  const { token, from } = play.stage.players[entry.player];
  const isKept = play.quietFrom(takesBack);
  const answer = await play.client.ask(entry, 'GET', '/api/game/withdraw?limit=100', {
    token,
    from,
  });
  const list = answer?.data?.withdrawals ?? [];
  for (const withdrawal of list) {
    const owner = Math.floor((withdrawal.role_id % 1_000_000) / 10);
    if (owner !== entry.player) play.violate("another player's withdrawal", answer.text, entry);
    play.model.told.push({ entry, withdrawal });
  }
  if (answer?.data && answer.data.left_today > DAILY_MAX)
    play.violate('more left today than the limit', answer.text, entry);
  if (list.length === 0) return;
  await olderThan(play, entry, list, { token, from, isKept });
  const path = `/api/game/withdraw/${list[0].id}`;
  const may = ['withdrawal_not_found'];
  const one = await play.client.ask(entry, 'GET', path, { token, from, may });
  if (one?.error === may[0] && isKept())
    play.violate('a withdrawal that was listed is gone', path, entry);
  if (one?.data) play.model.told.push({ entry, withdrawal: one.data });
}

/** The next page leaves out nothing that was listed before, and begins where it should. */
async function olderThan(play, entry, list, { isKept, ...options }) {
  const { id: before } = list[Math.floor(list.length / 3)];
  const path = `/api/game/withdraw?limit=${PAGE}&before=${before}`;
  const answer = await play.client.ask(entry, 'GET', path, options);
  const ids = answer?.data?.withdrawals?.map(({ id }) => id);
  if (!ids) return;
  const last = ids.length < PAGE ? 0 : ids.at(-1);
  const wanted = list.filter(({ id }) => id < before && id >= last);
  const isWhole = wanted.every(({ id }) => ids.includes(id));
  if (ids.some((id) => id >= before) || (!isWhole && isKept()))
    play.violate('a page with a hole', `before ${before}: ${ids.join()}`, entry);
}
