// Checks that accounts, registrations, links, entries and chat in the database match the responses.
import { expectDisabled } from './account-operations.mjs';
import { guess } from './lock-operations.mjs';
import { wrongPlaces } from './registration-places.mjs';
import { expectSignedOut } from './session-operations.mjs';
import { askDenied } from './world-operations.mjs';

/** The numbers of a history's entries are all below this. */
const FIRST_FREE_NUMBER = 1e9;

export async function checkAccounts(play) {
  // No fault is active at this point, so the lockout can be checked on every instance.
  for (const target of play.stage.instances.keys())
    await guess(play, { n: FIRST_FREE_NUMBER + target, target });
  await checkRegistrations(play);
  await checkEmails(play);
  await checkLinks(play);
  await checkEntries(play);
  await checkChats(play);
  for (const { entry, player } of play.model.disabled.slice(-3))
    await expectDisabled(play, entry, player);
  for (const signedOut of play.model.signedOut.slice(-10)) await expectSignedOut(play, signedOut);
  for (const address of play.stage.settings.denied.slice(-3))
    for (const [target] of play.stage.instances.entries())
      await askDenied(play, { target, n: 0 }, address, true);
}

async function checkRegistrations(play) {
  const { database, settings } = play.stage;
  const rows = await database.query(
    `SELECT account, email FROM player WHERE account LIKE 'new\\_%' OR account LIKE 'forum\\_%'`,
  );
  const days = await database.query('SELECT day, taken FROM registration_day');
  for (const violation of wrongPlaces(rows.length, days, settings.cap)) play.violate(...violation);
  const stored = new Map(rows.map(({ account, email }) => [account, email]));
  for (const { entry, account, email } of play.model.registered)
    if (stored.get(account) !== email) play.violate('a registration was lost', account, entry);
}

async function checkEmails(play) {
  for (const { entry, account, email } of play.model.emails) {
    const sql = 'SELECT email FROM player WHERE account = ?';
    const [row] = await play.stage.database.query(sql, [account]);
    if (row.email !== email)
      play.violate(
        'wrong email stored',
        `${account}: confirmed ${email}, stored ${row.email}`,
        entry,
      );
  }
}

async function checkLinks(play) {
  const rows = await play.stage.database.query(
    `SELECT p.account, p.game_account, l.connect_id FROM player_connect_threeparty l JOIN player p ON p.id = l.player_id`,
  );
  // The service may have stored the exact game account since the response.
  const stored = new Map(
    rows.map(({ account, game_account, connect_id }) => [connect_id, [account, game_account]]),
  );
  for (const { entry, connect_id, account } of play.model.links)
    if (!stored.get(connect_id)?.includes(account))
      play.violate(
        'a link differs from the response',
        `${connect_id}: answered ${account}, stored ${stored.get(connect_id)}`,
        entry,
      );
  for (const { entry, connect_id, account } of play.model.unlinked)
    if (stored.get(connect_id)?.includes(account))
      play.violate('a removed link still exists', `${connect_id} of ${account}`, entry);
}

async function checkEntries(play) {
  const rows = await play.stage.database.query('SELECT id, enter_count AS entries FROM player');
  for (const { id, entries } of rows) {
    const { tried, done } = play.model.allEntries().get(id) ?? { tried: Infinity, done: 0 };
    if (entries < done || entries > tried)
      play.violate(
        'wrong entry count',
        `player ${id}: stored ${entries}, tried ${tried}, succeeded ${done}`,
      );
  }
}

async function checkChats(play) {
  const rows = await play.stage.database.query('SELECT server_id, chat_id FROM chat');
  const stored = new Map();
  for (const { server_id, chat_id } of rows) {
    const key = `${server_id} ${chat_id}`;
    stored.set(key, (stored.get(key) ?? 0) + 1);
  }
  for (const { entry, server_id, ids } of play.model.chats)
    for (const id of ids)
      if (stored.get(`${server_id} ${id}`) !== 1)
        play.violate('a chat record is missing or duplicated', id, entry);
}
