// What game servers and pages ask for: chat, links, zones, settings; and a person who settles withdrawals.
import { checkLedger } from './money-invariants.mjs';
import { inProject, ManagedProcess } from './support.mjs';

const IDENTITIES = 60;
let commands = 0;
// Longer than anything is held back by a fault: an order that was not applied by now never will be.
const SETTLED_AFTER_SECONDS = 40;

export async function zones(play, entry) {
  const answer = await play.client.ask(entry, 'GET', '/api/server/list');
  const listed = answer?.data?.servers?.map(({ id }) => id);
  if (listed && play.stage.zones.some((id) => !listed.includes(id)))
    play.violate('a zone is missing', answer.text, entry);
}

export async function config(play, entry) {
  await play.client.ask(entry, 'GET', '/api/config');
  await play.client.ask(entry, 'GET', '/api/health/live');
  const { denied } = play.stage.settings;
  if (denied.length > 0) await askDenied(play, entry, denied[entry.n % denied.length]);
}

/** An instance that has once denied an address never serves it again, restarted or not. */
export async function askDenied(play, entry, from, isCertain = false) {
  const target = entry.target % play.stage.instances.length;
  const options = { target, from, may: ['ip_denied'] };
  const answer = await play.client.ask(entry, 'GET', '/api/config', options);
  const where = `${from} at instance ${target}`;
  if (answer?.status === 200 && (isCertain || play.model.denied.has(where)))
    play.violate('a denied address was served', where, entry);
  if (answer?.error === 'ip_denied') play.model.denied.add(where);
}

export async function bind(play, entry) {
  const { account, token, from } = play.stage.players[entry.player];
  const connect_id = `identity${entry.n % IDENTITIES}`;
  const may = ['connect_id_taken', 'account_linked'];
  const body = { account, connect_id };
  const answer = await play.client.ask(entry, 'POST', '/api/bind_account', { body, may });
  if (answer?.status === 200) play.model.links.push({ entry, connect_id, account });
  const path = `/api/link?connect_id=${connect_id}`;
  const found = await play.client.ask(entry, 'GET', path, { may: ['link_not_found'] });
  if (found?.status === 200)
    play.model.links.push({ entry, connect_id, account: found.data.account });
  await play.client.ask(entry, 'GET', '/api/bind', { token, from });
}

/** The same report, as often as a game server sends it that got no answer. */
export async function chat(play, entry) {
  const { instances } = play.stage;
  const server_id = play.stage.zones[entry.zone];
  const ids = Array.from({ length: 1 + (entry.n % 20) }, (_, index) => `chat-${entry.n}-${index}`);
  const records = ids.map((chat_id) => ({ server_id, chat_id, content: 'hello' }));
  const answers = await Promise.all(
    Array.from({ length: entry.copies }, (_, copy) =>
      play.client.ask(entry, 'POST', '/api/report/chat', {
        target: (entry.target + copy) % instances.length,
        body: { records },
      }),
    ),
  );
  const served = answers.filter((answer) => answer?.status === 200);
  const accepted = served.reduce((sum, { data }) => sum + data.accepted, 0);
  if (accepted > ids.length) play.violate('a chat record was taken twice', `${ids[0]} …`, entry);
  if (served.length > 0) play.model.chats.push({ entry, server_id, ids });
}

/** The game server goes on with what it held back; a look at its ledger ends a run that has failed already. */
export async function release(play) {
  await play.stage.game.release();
  checkLedger(play, play.stage.game.ledger());
}

/** As a person does it who looks up an old order in the game's records. */
export async function settle(play, entry) {
  const { database, game } = play.stage;
  const rows = await database.query(
    `SELECT id, order_no FROM withdraw WHERE status = 'unknown'
     AND sent_at < UTC_TIMESTAMP(3) - INTERVAL ${SETTLED_AFTER_SECONDS} SECOND ORDER BY id LIMIT 5`,
  );
  const row = rows.find(({ order_no }) => !game.isHeld(order_no));
  if (!row) return;
  await settleOne(play, row, entry.by);
}

export async function settleOne(play, { id, order_no }, by) {
  const { database, game, instances } = play.stage;
  const applied = (game.ledger().get(order_no)?.applications ?? 0) > 0;
  const status = applied ? 'succeeded' : 'failed';
  play.counts.settled++;
  // A command costs seconds of processor time, which a second one at once would take from the service.
  if (by === 'sql' || commands > 0) {
    const edit = `UPDATE withdraw SET status = ? WHERE id = ? AND status = 'unknown'`;
    await database.query(edit, [status, id]);
    return;
  }
  const who = ['--by', 'torture', '--note', 'the ledger of the game server', '--yes'];
  const command = new ManagedProcess(
    'node',
    [inProject('dist/withdrawal.js'), 'settle', String(id), status, ...who],
    {
      cwd: inProject('torture'),
      env: { ...instances[0].environment, AGREEMENT_FILE: inProject('config/agreement.html') },
    },
  );
  commands++;
  await command.exit;
  commands--;
}
