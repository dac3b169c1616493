// Sends the requests of game servers and pages about chat, links, servers and settings.
import { readFileSync } from 'node:fs';
import { checkLedger } from './money-invariants.mjs';
import { inProject } from './support.mjs';

const IDENTITIES = 60;
const AGREEMENT = readFileSync(inProject('config/agreement.html'), 'utf8');

export async function servers(play, entry) {
  const answer = await play.client.ask(entry, 'GET', '/api/server/list');
  const listed = answer?.data?.servers?.map(({ id }) => id);
  if (listed && play.stage.servers.some((id) => !listed.includes(id)))
    play.violate('a server is missing', answer.text, entry);
}

export async function config(play, entry) {
  await play.client.ask(entry, 'GET', '/api/config');
  await play.client.ask(entry, 'GET', '/api/health/live');
  const agreement = await play.client.page(entry, '/api/misc/agree');
  if (agreement !== undefined && agreement !== AGREEMENT)
    play.violate('wrong agreement text', agreement.slice(0, 300), entry);
  const { denied } = play.stage.settings;
  if (denied.length > 0) await askDenied(play, entry, denied[entry.n % denied.length]);
}

/** Checks that an instance never serves an address again once it has denied the address, even after a restart. */
export async function askDenied(play, entry, from, isCertain = false) {
  const target = entry.target % play.stage.instances.length;
  const options = { target, from, may: ['ip_denied'] };
  const answer = await play.client.ask(entry, 'GET', '/api/config', options);
  const where = `${from} at instance ${target}`;
  const isKnown = play.model.denied.has(where);
  if (answer?.status === 200 && (isCertain || isKnown))
    play.violate('a denied address was served', where, entry);
  if (answer?.error === 'ip_denied') play.model.denied.add(where);
}

export async function bind(play, entry) {
  const player = play.stage.players[entry.player];
  const { account, token, from } = player;
  const connect_id = `identity${entry.n % IDENTITIES}`;
  const may = ['connect_id_taken', 'account_linked'];
  const body = { account, connect_id };
  const answer = await play.client.ask(entry, 'POST', '/api/bind_account', { body, may });
  if (answer?.status === 200)
    play.model.links.push({ entry, connect_id, account: answer.data.account });
  const path = `/api/link?connect_id=${connect_id}`;
  const found = await play.client.ask(entry, 'GET', path, { may: ['link_not_found'] });
  if (found?.status === 200)
    play.model.links.push({ entry, connect_id, account: found.data.account });
  await play.client.ask(entry, 'GET', '/api/bind', { token, from });
}

/** Sends the same report several times, as a game server does when it retries. */
export async function chat(play, entry) {
  const { instances } = play.stage;
  const server_id = play.stage.servers[entry.server];
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
  if (accepted > ids.length) play.violate('a chat record was accepted twice', `${ids[0]} …`, entry);
  if (served.length > 0) play.model.chats.push({ entry, server_id, ids });
}

/** Releases the delayed commands. Also checks the ledger, so that a failed run ends early. */
export async function release(play) {
  await play.stage.game.release();
  checkLedger(play, play.stage.game.ledger());
}
