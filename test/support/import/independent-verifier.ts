import { decode } from 'iconv-lite';
import type { Connection, RowDataPacket } from 'mysql2/promise';

/**
 * Compares both databases with SQL of its own, and shares no code with `gatehouse import`. No two players have the same
 * hash, so that it tells who somebody is. Returns what is wrong.
 */
export async function findDifferences(
  connection: Connection,
  old: string,
  here: string,
  game: string,
  players = 'usr_main',
): Promise<string[]> {
  const rows = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0];
  const before = await rows(
    `SELECT uid, HEX(CAST(uname AS BINARY)) AS name, pwd FROM ${old}.${players} WHERE st <> 9`,
  );
  const bannedBefore = await rows(
    `SELECT DISTINCT u.pwd FROM ${old}.usr_ban b JOIN ${old}.${players} u ON u.uid = b.who
      WHERE b.till = '0' OR b.till > UNIX_TIMESTAMP()`,
  );
  const now = await rows(`SELECT id, account, password, game_account AS game FROM ${here}.player`);
  const aliases = await rows(`SELECT name, player_id AS id FROM ${here}.player_alias`);
  const bannedNow = await rows(
    `SELECT DISTINCT p.password FROM ${here}.player_ban b JOIN ${here}.player p ON p.id = b.player_id
      WHERE b.lifted_at IS NULL AND (b.until IS NULL OR b.until > UTC_TIMESTAMP(3))`,
  );
  const actors = await rows(`SELECT DISTINCT accountname AS name FROM ${game}.actors`);

  const wrong: string[] = [];
  const nameOf = new Map(
    before.map(({ pwd, name }) => [String(pwd), decode(Buffer.from(String(name), 'hex'), 'gbk')]),
  );
  if (now.length !== before.length) wrong.push(`${before.length} before, ${now.length} now`);
  const hereByHash = new Map(now.map((row) => [String(row.password), row]));
  const meant = new Map<string, RowDataPacket>(now.map((row) => [String(row.account), row]));
  for (const { name, id } of aliases) {
    if (meant.has(String(name))) wrong.push(`the alias ${name} is somebody's account`);
    meant.set(
      String(name),
      now.find((row) => row.id === id)!,
    );
  }
  for (const [hash, name] of nameOf) {
    const row = hereByHash.get(hash);
    if (!row) {
      wrong.push(`${name} is lost`);
      continue;
    }
    const found = meant.get(name.trimEnd());
    if (!found) wrong.push(`nobody is found by ${name}`);
    else if (nameOf.get(String(found.password))?.trimEnd() !== name.trimEnd())
      wrong.push(`${name} finds ${found.account}, another person`);
    if (row.game !== null && row.game !== name) wrong.push(`${name} has the roles of ${row.game}`);
  }
  for (const { name } of actors) {
    const owners = now.filter((row) => row.game === name);
    if (owners.length !== 1) wrong.push(`${owners.length} have the roles of ${name}`);
  }
  const [was, is] = [bannedBefore.map(({ pwd }) => pwd), bannedNow.map(({ password }) => password)];
  for (const hash of was) if (!is.includes(hash)) wrong.push(`${nameOf.get(hash)} is unbanned`);
  for (const hash of is) if (!was.includes(hash)) wrong.push(`${nameOf.get(hash)} is banned`);
  return wrong;
}
