// Tests withdrawals and the players' views of roles and withdrawals.
import { setTimeout as pause } from 'node:timers/promises';
import { losesCommits } from './fault-kinds.mjs';
import { ROLES } from './history.mjs';
import { tokenOf } from './secrets.mjs';
import { DAILY_MAX } from './settings-file.mjs';
import { BALANCE, PASSWORD, createRoles, roleOf } from './stage.mjs';
import { ownsRole, requestedRole } from './twins.mjs';

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

const REJECTED_WITHOUT_ROW = [
  'server_unavailable',
  'withdrawal_open',
  'withdrawal_disabled',
  'amount_out_of_range',
  'role_not_found',
  'service_unavailable',
];

export async function withdraw(play, entry) {
  const player = play.stage.players[entry.player];
  const [owner, slot] = requestedRole(player, entry);
  const role = roleOf(owner, entry.server, slot);
  await request(play, entry, player, role, entry.amount, BALANCE);
}

/** Tries to exceed the daily limit with concurrent withdrawals from several roles at all instances. */
export async function rush(play, entry) {
  const { database, instances } = play.stage;
  const player = await database.createPlayer({ account: `rush_${entry.n}`, password: PASSWORD });
  player.token = tokenOf(player);
  const roleIds = Array.from(
    { length: RUSH_ROLES },
    (_, slot) => 100_000_000 + entry.n * 10 + slot,
  );
  await createRoles(
    play.stage,
    play.stage.servers[entry.server],
    roleIds,
    player.account,
    RUSH_BALANCE,
  );
  await Promise.all(
    roleIds.map((role, slot) => {
      const target = slot % instances.length;
      const own = { ...entry, target, copies: 1, patience: 1 };
      return request(play, own, player, role, RUSH_AMOUNT + slot, RUSH_BALANCE);
    }),
  );
}

/** `server_id` replaces the id of the entry's server if a role is reachable through several servers. */
export async function request(play, entry, player, role, amount, balance, server_id) {
  const { game, instances, servers } = play.stage;
  const key = entry.keyed ? `key-${entry.n}-${role}-${amount}` : undefined;
  const intent = {
    entry,
    player,
    role,
    amount,
    key,
    sends: 0,
    answers: [],
  };
  play.model.intents.push(intent);
  play.model.roles.set(role, balance);
  game.expect(role, amount, entry.game);

  const [isQuiet, isOwn] = [play.watchFaults(), ownsRole(player, role)];
  const may = isOwn ? WITHDRAW_ERRORS : [...WITHDRAW_ERRORS, 'role_not_found'];
  const body = { server_id: server_id ?? servers[entry.server], role_id: role, amount };
  const sendCopy = async (number) => {
    for (let attempt = 0; attempt < entry.patience; attempt++) {
      const target = (entry.target + number + attempt) % (instances.length + 1);
      intent.sends++;
      const options = { target, token: player.token, from: player.from, body, key };
      const answer = await play.client.ask(entry, 'POST', '/api/game/withdraw', {
        ...options,
        may,
      });
      checkAnswer(play, intent, answer, isOwn);
      const kind = answer ? (answer.error ?? String(answer.status)) : 'no response';
      play.counts.answers[kind] = (play.counts.answers[kind] ?? 0) + 1;
      if (answer) intent.answers.push(answer);
      // Without a key, a retry would be another withdrawal.
      if (answer || !key) return;
      await pause(300);
    }
  };
  await Promise.all(Array.from({ length: entry.copies }, (_, number) => sendCopy(number)));
  intent.isFaulted = entry.game !== 'none' || !isQuiet();
  // Withdrawals that were rejected before they had a row are not counted.
  if (
    intent.isFaulted &&
    !intent.answers.every(({ error }) => REJECTED_WITHOUT_ROW.includes(error))
  )
    play.counts.faulted++;
  return intent;
}

/** Checks that the response shows the requested withdrawal, from the player's own role. */
function checkAnswer(play, { entry, player, role, amount }, answer, isOwn) {
  if (!answer?.data) return;
  const { role_id, amount: taken } = answer.data;
  if (role_id !== role || taken !== amount)
    play.violate('the response shows another withdrawal', answer.text, entry);
  if (!isOwn)
    play.violate(
      "a withdrawal from another player's role",
      `${player.account}: ${answer.text}`,
      entry,
    );
}

export async function roles(play, entry) {
  const { players, servers } = play.stage;
  const player = players[entry.player];
  const { token, from, hasRoles, isUnambiguous } = player;
  const path = `/api/game/roles?server_id=${servers[entry.server]}`;
  const answer = await play.client.ask(entry, 'GET', path, { token, from, may: SERVER_ERRORS });
  const listed = answer?.data?.roles;
  if (!listed) return;
  if (listed.some(({ role_id }) => !ownsRole(player, role_id)))
    play.violate("another player's role is listed", answer.text, entry);
  if (listed.some(({ balance }) => balance > BALANCE))
    play.violate('a balance has grown', answer.text, entry);
  if (hasRoles && isUnambiguous && listed.length !== ROLES)
    play.violate('roles are missing', answer.text, entry);
}

export async function history(play, entry) {
  const { token, from } = play.stage.players[entry.player];
  const nothingLost = play.watchFaults(losesCommits);
  const answer = await play.client.ask(entry, 'GET', '/api/game/withdraw?limit=100', {
    token,
    from,
  });
  const list = answer?.data?.withdrawals ?? [];
  for (const withdrawal of list) {
    const owner = Math.floor((withdrawal.role_id % 1_000_000) / 10);
    if (owner !== entry.player)
      play.violate("another player's withdrawal is listed", answer.text, entry);
    play.model.shownWithdrawals.push({ entry, withdrawal });
  }
  if (answer?.data && answer.data.left_today > DAILY_MAX)
    play.violate('left_today exceeds the limit', answer.text, entry);
  if (list.length === 0) return;
  await checkOlderPage(play, entry, list, { token, from, nothingLost });
  const path = `/api/game/withdraw/${list[0].id}`;
  const may = ['withdrawal_not_found'];
  const one = await play.client.ask(entry, 'GET', path, { token, from, may });
  if (one?.error === may[0] && nothingLost())
    play.violate('a listed withdrawal was not found', path, entry);
  if (one?.data) play.model.shownWithdrawals.push({ entry, withdrawal: one.data });
}

/** Checks that the next page starts after `before` and contains everything that was listed. */
async function checkOlderPage(play, entry, list, { nothingLost, ...options }) {
  const { id: before } = list[Math.floor(list.length / 3)];
  const path = `/api/game/withdraw?limit=${PAGE}&before=${before}`;
  const answer = await play.client.ask(entry, 'GET', path, options);
  const ids = answer?.data?.withdrawals?.map(({ id }) => id);
  if (!ids) return;
  const last = ids.length < PAGE ? 0 : ids.at(-1);
  const expected = list.filter(({ id }) => id < before && id >= last);
  const isComplete = expected.every(({ id }) => ids.includes(id));
  if (ids.some((id) => id >= before) || (!isComplete && nothingLost()))
    play.violate('a page misses withdrawals', `before ${before}: ${ids.join()}`, entry);
}
