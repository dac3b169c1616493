import { decode } from 'iconv-lite';
import type { Connection, RowDataPacket } from 'mysql2/promise';

/**
 * Compares both databases by independent SQL, without code from `gatehouse import`, and returns the differences.
 * Each player has a unique hash, which identifies the player.
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
    `SELECT uid, HEX(CAST(uname AS BINARY)) AS name, pwd FROM ${old}.${players}
      WHERE st <> 9 AND CHAR_LENGTH(uname) <= 64`,
  );
  const bannedBefore = await rows(
    `SELECT u.pwd, DATE_FORMAT(b.ends, '%Y-%m-%d %T') AS ends FROM ${old}.usr_ban b
       JOIN ${old}.${players} u ON u.uid = b.who WHERE b.ends IS NULL OR b.ends > UTC_TIMESTAMP()`,
  );
  const now = await rows(`SELECT id, account, password, game_account AS game FROM ${here}.player`);
  const aliases = await rows(`SELECT name, player_id AS id FROM ${here}.player_alias`);
  const bannedNow = await rows(
    `SELECT p.password AS pwd, DATE_FORMAT(b.until, '%Y-%m-%d %T') AS ends FROM ${here}.player_ban b JOIN ${here}.player p ON p.id = b.player_id
      WHERE b.lifted_at IS NULL AND (b.until IS NULL OR b.until > UTC_TIMESTAMP(3))`,
  );
  const linksBefore = await rows(
    `SELECT f.fid, u.pwd FROM ${old}.usr_forum f JOIN ${old}.${players} u ON u.uid = f.who WHERE st <> 9`,
  );
  const linksNow = await rows(
    `SELECT l.connect_id AS fid, p.password AS pwd
       FROM ${here}.player_connect_threeparty l JOIN ${here}.player p ON p.id = l.player_id`,
  );
  const actors = await rows(`SELECT DISTINCT accountname AS name FROM ${game}.actors`);

  const wrong: string[] = [];
  const nameOf = new Map(
    before.map(({ pwd, name }) => [String(pwd), decode(Buffer.from(String(name), 'hex'), 'gbk')]),
  );
  if (now.length !== before.length) wrong.push(`${before.length} before, ${now.length} now`);
  const hereByHash = new Map(now.map((row) => [String(row.password), row]));
  const meant = new Map<string, RowDataPacket>(now.map((row) => [String(row.account), row]));
  const hereById = new Map(now.map((row) => [row.id, row]));
  for (const { name, id } of aliases) {
    if (meant.has(String(name))) wrong.push(`the alias ${name} is somebody's account`);
    meant.set(String(name), hereById.get(id)!);
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
  const owners = new Map<string, number>();
  for (const { game: name } of now) owners.set(name, (owners.get(name) ?? 0) + 1);
  for (const { name } of actors)
    if (owners.get(name) !== 1) wrong.push(`${owners.get(name) ?? 0} have the roles of ${name}`);
  const was = new Set(bannedBefore.map(({ pwd, ends }) => `${pwd} until ${ends}`));
  const is = new Set(bannedNow.map(({ pwd, ends }) => `${pwd} until ${ends}`));
  for (const ban of was) if (!is.has(ban)) wrong.push(`${ban} is unbanned`);
  for (const ban of is) if (!was.has(ban)) wrong.push(`${ban} is banned`);
  const mayHave = new Set(linksBefore.map(({ fid, pwd }) => `${fid} ${pwd}`));
  for (const { fid, pwd } of linksNow)
    if (!mayHave.has(`${fid} ${pwd}`)) wrong.push(`${fid} leads to another person`);
  const linked = new Set(linksNow.map(({ fid }) => fid));
  for (const { fid } of linksBefore) if (!linked.has(fid)) wrong.push(`${fid} leads to nobody`);
  return wrong;
}
