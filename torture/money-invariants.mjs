// Compares withdrawals, their events, the game ledger, the balances and the responses.
import { judgeLostOrders } from './lost-orders.mjs';
import { checkMerges } from './merge-operations.mjs';
import { moneyFigures } from './money-figures.mjs';
import { checkOwners } from './owner-invariants.mjs';
import { DAILY_MAX } from './settings-file.mjs';

const WITHOUT_EFFECT = ['refused', 'failed'];
const FINAL = ['succeeded', ...WITHOUT_EFFECT];

export async function checkMoney(play) {
  const { database, game, losses } = play.stage;
  const rows = await database.query('SELECT * FROM withdraw ORDER BY id');
  const events = await database.query('SELECT * FROM withdraw_event ORDER BY id');
  const ledger = game.ledger();
  play.counts = moneyFigures(play, rows, ledger);
  checkStatuses(play, rows, ledger);
  await checkLostOrders(play, rows, events, ledger);
  checkEvents(play, rows, events);
  checkAnswers(play, rows, ledger);
  // After a loss of commits, responses may contradict the rows.
  if (losses.length === 0) checkHistories(play, rows);
  checkDailyLimit(play, rows);
  await checkOwners(play, game.orders);
  await checkBalances(play, ledger);
  await checkMerges(play, ledger);
}

/** Checks what must be true at any time, even during a run. */
export function checkLedger(play, ledger) {
  for (const [orderNo, { roleId, amount, requests, applications }] of ledger) {
    if (requests <= 1 && applications <= 1) continue;
    const detail = `order ${orderNo}: received ${requests} times, applied ${applications} times`;
    play.violate('sent more than once', detail, entryOf(play, roleId, amount));
  }
}

function checkStatuses(play, rows, ledger) {
  checkLedger(play, ledger);
  for (const { id, status, order_no, role_id, amount } of rows) {
    const applications = ledger.get(order_no)?.applications ?? 0;
    const expected = status === 'succeeded' ? 1 : 0;
    if (FINAL.includes(status) && applications !== expected)
      play.violate(
        'the status contradicts the game ledger',
        `withdrawal ${id}, order ${order_no} is ${status} and was applied ${applications} times`,
        entryOf(play, role_id, amount),
      );
  }
}

async function checkLostOrders(play, rows, events, ledger) {
  const { database, game, losses, instances } = play.stage;
  const orphans = await database.query('SELECT * FROM withdraw_orphan ORDER BY id');
  const senders = instances.map((one) => ({ deaths: one.deaths, sent: one.sentOrders() }));
  const { intents } = play.model;
  const facts = { orders: game.orders, ledger, rows, orphans, intents, losses, senders };
  const { wrong, counts } = judgeLostOrders(facts);
  for (const violation of wrong) play.violate(...violation);
  const restored = events.filter(({ evidence }) => evidence.endsWith('lost this step')).length;
  play.counts.lost = { losses: losses.length, restored, ...counts };
}

function checkEvents(play, rows, events) {
  const eventsById = new Map(rows.map(({ id }) => [id, []]));
  for (const event of events) eventsById.get(event.withdraw_id)?.push(event);
  for (const { id, status, role_id, amount } of rows) {
    const own = eventsById.get(id);
    let previous = null;
    const isChain = own.every(({ from_status, to_status }) => {
      const fits = from_status === previous;
      previous = to_status;
      return fits;
    });
    if (own.length > 0 && isChain && previous === status) continue;
    const steps = own.map(
      ({ from_status, to_status, cause }) => `${from_status}>${to_status} ${cause}`,
    );
    const detail = `withdrawal ${id} is ${status}: ${steps.join(', ')}`;
    play.violate('a status change without its event', detail, entryOf(play, role_id, amount));
  }
}

/**
 * A response with status 200 means that the game applied the order once. A refusal means that the game never
 * applied the order, unless another request with the same key was accepted.
 */
function checkAnswers(play, rows, ledger) {
  const applied = new Map();
  const isLossy = play.stage.losses.length > 0;
  for (const { roleId, amount, applications } of ledger.values()) {
    const key = `${roleId} ${amount}`;
    applied.set(key, (applied.get(key) ?? 0) + applications);
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { entry, role, amount, key, sends, answers } of play.model.intents) {
    const applications = applied.get(`${role} ${amount}`) ?? 0;
    const successes = answers.filter(({ status }) => status === 200);
    const refusals = answers.filter(isRefusal).length;
    const least = key ? Math.min(successes.length, 1) : successes.length;
    // After the row is lost, its key can be used again.
    const isOnce = key && !isLossy;
    const most = isOnce ? (refusals === sends ? 0 : 1) : sends - refusals;
    const responses = answers.map(({ status, error }) => `${status} ${error ?? ''}`).join(', ');
    if (applications < least || applications > most)
      play.violate(
        'the response contradicts the game ledger',
        `role ${role}, amount ${amount}, ${key ?? 'no key'}: ${sends} sent, answered ${responses}; applied ${applications} times`,
        entry,
      );
    if (isLossy) continue;
    for (const { data } of answers.filter(({ status }) => status === 200 || status === 202)) {
      const row = byId.get(data.id);
      const isSame = row && Number(row.role_id) === role && Number(row.amount) === amount;
      const agrees = !FINAL.includes(data.status) || row?.status === data.status;
      if (isSame && agrees) continue;
      const stored = row ? `${row.role_id} ${row.amount} ${row.status}` : 'no row';
      play.violate(
        'the response shows another withdrawal',
        `${JSON.stringify(data)}, stored: ${stored}`,
        entry,
      );
    }
  }
}

function isRefusal({ status, error }) {
  return status >= 400 && error !== 'idempotency_conflict';
}

function checkHistories(play, rows) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { entry, withdrawal } of play.model.shownWithdrawals) {
    const { id, status } = withdrawal;
    const stored = byId.get(id)?.status;
    if (FINAL.includes(status) && stored !== status)
      play.violate('a settled withdrawal changed', `${id}: shown ${status}, now ${stored}`, entry);
  }
}

/** Checks the daily limit for each day of the instance's clock. */
function checkDailyLimit(play, rows) {
  const sums = new Map();
  for (const { id, player_id, created_at, amount, status, role_id } of rows) {
    if (WITHOUT_EFFECT.includes(status)) continue;
    const date = play.model.createdAt.get(id) ?? created_at;
    const key = `player ${player_id} on ${date.toISOString().slice(0, 10)}`;
    const sum = (sums.get(key) ?? 0) + Number(amount);
    sums.set(key, sum);
    if (sum > DAILY_MAX && sum - Number(amount) <= DAILY_MAX)
      play.violate('more than the daily limit', `${key}: ${sum}`, entryOf(play, role_id, amount));
  }
}

async function checkBalances(play, ledger) {
  const { gameDatabase, servers } = play.stage;
  const taken = new Map();
  for (const { roleId, amount, applications } of ledger.values())
    taken.set(roleId, (taken.get(roleId) ?? 0) + amount * applications);
  for (const server of servers) {
    const stored = await gameDatabase.query(
      `SELECT actorid AS role, nonbindyuanbao AS balance FROM mir_actor_s${server}.actors`,
    );
    for (const { role, balance } of stored) {
      if (play.model.merges.has(role)) continue;
      const first = play.model.roles.get(role);
      const expected = first - (taken.get(role) ?? 0);
      if (first !== undefined && balance !== expected)
        play.violate('wrong balance', `role ${role}: ${balance}, not ${expected}`);
    }
  }
}

function entryOf(play, role, amount) {
  const matches = (intent) => intent.role === Number(role) && intent.amount === Number(amount);
  return play.model.intents.find(matches)?.entry;
}
