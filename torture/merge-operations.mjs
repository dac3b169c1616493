// Merges a server into another server while a withdrawal may be open. The role must stay locked on both servers.
import { setTimeout as pause } from 'node:timers/promises';
import { request } from './money-operations.mjs';
import { tokenOf } from './secrets.mjs';
import { createRoles, createServerRow, PASSWORD } from './stage.mjs';

const BALANCE = 5_000_000;
const FIRST_SERVER = 10_000;
const FIRST_ROLE = 2_000_000_000;
/** Instances reload the servers once per second. */
const RELOADED_MS = 1500;

export async function merge(play, entry) {
  const { database, servers, gameDatabase, game } = play.stage;
  const [into, id] = [servers[entry.server], FIRST_SERVER + servers[0] * 1_000_000 + entry.n];
  const player = await database.createPlayer({ account: `merge_${entry.n}`, password: PASSWORD });
  player.token = tokenOf(player);
  const role = FIRST_ROLE + entry.n;
  await gameDatabase.query(`CREATE DATABASE IF NOT EXISTS mir_actor_s${id}`);
  const copy = `mir_actor_s${id}.actors LIKE mir_actor_s${into}.actors`;
  await gameDatabase.query(`CREATE TABLE IF NOT EXISTS ${copy}`);
  await createRoles(play.stage, id, [role], player.account, BALANCE);
  await createServerRow(database, id, game.portOf(entry.server));
  await pause(RELOADED_MS);
  const first = { ...entry, patience: 1, copies: 1 };
  await request(play, first, player, role, entry.amount, BALANCE, id);

  await database.query(`UPDATE server SET status = 'maintenance' WHERE id = ?`, [id]);
  await pause(RELOADED_MS);
  await gameDatabase.query(
    `INSERT IGNORE INTO mir_actor_s${into}.actors SELECT * FROM mir_actor_s${id}.actors WHERE actorid = ?`,
    [role],
  );
  const moved = await balanceOf(gameDatabase, into, role);
  play.model.merges.set(role, { entry, first: BALANCE, moved, servers: [id, into] });
  const merged = `UPDATE server SET merged_into = ?, status = 'normal' WHERE id = ?`;
  await database.query(merged, [into, id]);
  await pause(RELOADED_MS);

  const isOpen = async () => {
    const open = `SELECT id FROM withdraw WHERE role_id = ? AND amount = ? AND status = 'unknown'`;
    return (await database.query(open, [role, entry.amount])).length > 0;
  };
  const wasOpen = await isOpen();
  const again = [id, into].map((server_id, number) => {
    const amount = entry.amount + 100_000 * (number + 1);
    const own = { ...first, target: entry.target + number, game: 'none' };
    own.target %= play.stage.instances.length;
    return request(play, own, player, role, amount, BALANCE, server_id);
  });
  const answers = (await Promise.all(again)).flatMap((intent) => intent.answers);
  const accepted = answers.filter(({ status }) => status === 200 || status === 202);
  if (wasOpen && accepted.length > 0 && (await isOpen()))
    play.violate('two open withdrawals of a merged role', accepted[0].text, entry);
}

/** Checks that the deductions on both servers together equal what the game applied. */
export async function checkMerges(play, ledger) {
  const taken = new Map();
  for (const { roleId, amount, applications } of ledger.values())
    taken.set(roleId, (taken.get(roleId) ?? 0) + amount * applications);
  for (const [role, { entry, first, moved, servers }] of play.model.merges) {
    const [before, after] = await Promise.all(
      servers.map((server) => balanceOf(play.stage.gameDatabase, server, role)),
    );
    const deducted = first - before + moved - after;
    const expected = taken.get(role) ?? 0;
    const detail = `role ${role}: ${deducted} deducted, ${expected} applied`;
    if (deducted !== expected) play.violate('wrong balance after a merge', detail, entry);
  }
}

async function balanceOf(gameDatabase, server, role) {
  const [row] = await gameDatabase.query(
    `SELECT nonbindyuanbao AS balance FROM mir_actor_s${server}.actors WHERE actorid = ?`,
    [role],
  );
  return Number(row?.balance);
}
