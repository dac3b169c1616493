import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { UglyDatabase, UglyPlayer } from './ugly-database.js';

const NO_HASH = '!'.repeat(32);
const LARGEST_ID = 2_000_000_000n;

/**
 * Compares what the generated rows mean with the account database, without code from `gatehouse import`, and returns
 * the differences, which begin with their class. A player's device shows which row the player comes from.
 */
export async function findDifferences(
  connection: Connection,
  here: string,
  { players, roles, world }: UglyDatabase,
): Promise<string[]> {
  const rows = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0];
  const wrong: string[] = [];
  const now = await rows(
    `SELECT p.id, account, password, email, game_account AS game, server_id AS server, agent_id AS promoter, device,
            UNIX_TIMESTAMP(p.created_at) AS registered, UNIX_TIMESTAMP(entered_at) AS login, l.connect_id AS identity
       FROM ${here}.player p LEFT JOIN ${here}.player_connect_threeparty l ON l.player_id = p.id`,
  );
  const bans = await rows(
    `SELECT player_id AS id, UNIX_TIMESTAMP(until) AS until FROM ${here}.player_ban
      WHERE lifted_at IS NULL AND (until IS NULL OR until > UTC_TIMESTAMP(3))`,
  );
  const banned = new Map(bans.map(({ id, until }) => [id, until === null ? null : Number(until)]));
  if (banned.size !== bans.length) wrong.push('ban: somebody is banned twice');
  const arrived = new Map(now.map((row) => [String(row.device), row]));
  const oldByDevice = new Map(players.map((player) => [`dev${player.uid}`, player]));
  if (now.length !== players.length)
    wrong.push(`player: ${players.length} before, ${now.length} now`);

  for (const old of players) {
    const row = arrived.get(`dev${old.uid}`);
    if (!row) {
      wrong.push(`player: ${old.name} (${old.uid}) is lost`);
      continue;
    }
    const values = {
      hash: [old.hash || NO_HASH, row.password],
      ban: [old.bannedUntil, banned.get(row.id)],
      server: [old.server, row.server],
      promoter: [old.promoter, row.promoter],
      registered: [old.registered, Number(row.registered)],
      login: [old.login, Number(row.login)],
      id: [
        world.isByName || old.uid < 1n || old.uid > LARGEST_ID ? row.id : Number(old.uid),
        row.id,
      ],
    };
    for (const [what, [before, after]] of Object.entries(values))
      if (before !== after) wrong.push(`${what}: ${old.uid} has ${after} instead of ${before}`);
  }
  wrong.push(...sharedDifferences('mailbox', players, arrived, 'mailbox', 'email'));
  wrong.push(...sharedDifferences('link', players, arrived, 'identity', 'identity'));

  const meant = new Map(now.map((row) => [String(row.account), row]));
  const byId = new Map(now.map((row) => [row.id, row]));
  for (const { name, id } of await rows(`SELECT name, player_id AS id FROM ${here}.player_alias`)) {
    if (meant.has(String(name))) wrong.push(`name: the alias ${name} is somebody's account`);
    meant.set(String(name), byId.get(id)!);
  }
  for (const { name, uid } of players) {
    const found = meant.get(name.trimEnd());
    const person = found && oldByDevice.get(String(found.device));
    if (person?.name.trimEnd() !== name.trimEnd())
      wrong.push(`name: ${name} of ${uid} finds ${found ? found.account : 'nobody'}`);
  }

  const owners = new Map<string, Array<UglyPlayer | undefined>>();
  for (const { game, device } of now)
    if (game !== null)
      owners.set(game, [...(owners.get(game) ?? []), oldByDevice.get(String(device))]);
  const reserved = await rows(`SELECT name FROM ${here}.reserved_name`);
  const isReserved = new Set(reserved.map(({ name }) => String(name)));
  const names = new Set(players.map(({ name }) => name));
  for (const [spelling, name] of roles) {
    const who = owners.get(spelling) ?? [];
    const isOwned = names.has(name);
    if (who.length !== (isOwned ? 1 : 0) || who.some((each) => each?.name !== name))
      wrong.push(
        `roles: ${who.map((each) => each?.uid).join(' and ') || 'nobody'} has those of ${spelling}`,
      );
    if (isReserved.has(spelling) === isOwned)
      wrong.push(`roles: ${spelling} is ${isOwned ? '' : 'not '}reserved`);
  }
  return wrong;
}

/** Checks that exactly one of the players who claim a value has it. */
function sharedDifferences(
  what: string,
  players: UglyPlayer[],
  arrived: Map<string, RowDataPacket>,
  claimed: 'mailbox' | 'identity',
  column: string,
): string[] {
  const wrong: string[] = [];
  const claims = new Set<string>();
  const owned = new Set<string>();
  for (const { uid, [claimed]: claim } of players) {
    const has = arrived.get(`dev${uid}`)?.[column] as string | null | undefined;
    if (claim) claims.add(claim);
    if (!has) continue;
    if (has !== claim) wrong.push(`${what}: ${uid} has ${has} instead of ${claim}`);
    if (owned.has(has)) wrong.push(`${what}: ${has} leads to two players`);
    owned.add(has);
  }
  for (const claim of claims)
    if (!owned.has(claim)) wrong.push(`${what}: ${claim} leads to nobody`);
  return wrong;
}
