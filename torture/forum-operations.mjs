// Tests logins through the forum. A ticket works once, and a forum user keeps one account.
import { addressOf } from './account-operations.mjs';
import { PASSWORD } from './stage.mjs';

const PEOPLE = 40;
const LANDING_ERRORS = ['forum_unavailable', 'service_unavailable', 'too_many_requests'];
const BIND_ERRORS = [
  'ticket_invalid',
  'registration_cap_reached',
  'connect_id_taken',
  'account_linked',
  'login_throttled',
];

/** Starts a login at one instance, returns to another instance, and redeems the ticket at several instances. */
export async function forum(play, entry) {
  const person = `person${entry.n % PEOPLE}`;
  const areClocksRight = play.watchClocks();
  const ticket = await land(play, entry, person);
  if (!ticket) return;
  const body = { ticket, ...(entry.keyed ? {} : await ownAccount(play, entry)) };
  const answers = await Promise.all(
    Array.from({ length: entry.copies }, (_, copy) =>
      play.client.ask(entry, 'POST', '/api/forumauth/bind', {
        target: (entry.target + copy) % play.stage.instances.length,
        from: addressOf(entry),
        body,
        may: BIND_ERRORS,
      }),
    ),
  );
  const served = answers.filter((answer) => answer?.status === 200);
  if (served.length > 1) play.violate('a ticket was used twice', person, entry);
  for (const { data, text } of served) {
    play.model.links.push({ entry, connect_id: person, account: data.account });
    if (body.account && data.account !== body.account)
      play.violate('linked to the wrong account', text, entry);
    if (data.created) play.model.registered.push({ entry, account: data.account, email: null });
    await expectOwner(play, entry, { ...data, areClocksRight }, person);
  }
}

/** Expects the token's account to show the forum identity. A token from a stepped clock may have expired. */
export async function expectOwner(play, entry, { token, areClocksRight }, person) {
  const answer = await play.client.ask(entry, 'GET', '/api/bind', {
    token,
    from: addressOf(entry),
    may: ['unauthorized'],
  });
  if (answer?.error === 'unauthorized' && areClocksRight())
    play.violate('a forum login without a session', answer.text, entry);
  const bindings = answer?.data?.bindings;
  if (bindings && !bindings.some(({ connect_id }) => connect_id === person))
    play.violate('a forum login without its link', answer.text, entry);
}

/** Logs in at the forum and returns the ticket, or undefined if the login fails. */
export async function land(play, entry, person) {
  const { instances, forum: forumServer } = play.stage;
  const from = addressOf(entry);
  const areClocksRight = play.watchClocks();
  const at = (step) => ({ target: (entry.target + step) % instances.length, from });
  const away = await play.client.visit(entry, '/api/forumauth/authorize', at(0));
  if (!away?.location) return undefined;
  const location = await forumServer.logIn(away.location, person);
  if (!location) return undefined;
  const back = new URL(location);
  const cookie = away.cookies.join('; ');
  const path = back.pathname + back.search;
  // Either the browser retries, or an attacker has stolen the URL. At most one of the two requests may succeed.
  const landings = await Promise.all(
    Array.from({ length: Math.min(entry.copies, 2) }, (_, copy) =>
      play.client.visit(entry, path, { ...at(1 + copy), cookie }),
    ),
  );
  const fragments = landings.flatMap((landing) =>
    landing?.location ? [new URLSearchParams(new URL(landing.location).hash.slice(1))] : [],
  );
  const tickets = fragments.map((fragment) => fragment.get('ticket')).filter(Boolean);
  if (tickets.length > 1) play.violate('a state was used twice', person, entry);
  // A state works once and is valid for five minutes.
  const isStateValid = entry.copies === 1 && areClocksRight();
  const may = isStateValid ? LANDING_ERRORS : [...LANDING_ERRORS, 'oauth_state_invalid'];
  for (const fragment of fragments)
    if (fragment.has('error') && !may.includes(fragment.get('error')))
      play.violate('an unexpected error after the forum login', fragment.toString(), entry);
  return tickets[0];
}

async function ownAccount(play, entry) {
  const player = { account: `tied_${entry.n}`, password: PASSWORD };
  await play.stage.database.createPlayer(player);
  return player;
}
