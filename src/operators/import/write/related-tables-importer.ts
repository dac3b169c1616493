import type { EntityManager } from 'typeorm';
import { MAX_NAME } from '../../../platform/auth/account-name.js';
import { endReservations, reserveNames } from '../../../platform/auth/reserved-names.js';
import { batchesOf, runStatement } from '../../../platform/database/sql.js';
import { KeyCounter } from '../decide/collation-keys.js';
import { type LinkBatch, LinkDecisions } from '../decide/link-decisions.js';
import { COLLISIONS } from '../decide/present-players.js';
import { hexSql, keyList } from '../read/old-player-reader.js';
import { foldName } from '../read/old-values.js';
import { rowSumSql, whereSql } from '../read/old-database.js';
import { BAN_CLASSES, readRelatedRows } from '../read/related-tables.js';
import type { ImportContext } from '../target/import-context.js';
import {
  OWNERLESS,
  ownerlessNameFindings,
  replaceFindings,
  storeFindings,
} from '../target/import-findings.js';
import {
  banSum,
  crcOf,
  findImported,
  lockOpenPlayers,
  readOldPlayers,
} from '../target/imported-players.js';
import { PlayerUpdater } from './player-updater.js';

export class RelatedTablesImporter {
  constructor(private readonly context: ImportContext) {}

  /** Inserts rows whose id does not exist here yet, and returns their number. */
  async copy(into: 'server' | 'agent'): Promise<number> {
    const { target } = this.context;
    const { rows, findings } = await readRelatedRows(this.context, into);
    return target.transaction(async (manager) => {
      await replaceFindings(this.context, manager, [into], findings);
      const present = await manager.query<Array<{ id: number }>>(`SELECT id FROM ${into}`);
      const known = new Set(present.map(({ id }) => id));
      const fresh = rows.filter(({ id }) => !known.has(Number(id)));
      for (const row of fresh) {
        const [names, values] = [Object.keys(row), target.literals(Object.values(row))];
        await runStatement(manager, `INSERT INTO ${into} (${names.join(', ')}) VALUES (${values})`);
      }
      return fresh.length;
    });
  }

  /** Imports new links and removes old ones if the old table or the number of players has changed. */
  async links(): Promise<number> {
    const { old, target, map, tableOf } = this.context;
    const { links } = map;
    if (!links) return 0;
    const table = tableOf(links.table);
    const rowSum = rowSumSql(await old.bytesOf(table, [links.player, links.connect_id]));
    // The links of players who stayed behind are imported once a later run has imported those players.
    const moved = await target.count('import_player WHERE player_id IS NOT NULL');
    const checksum = `${table}:${moved}:${await old.checksum(table, whereSql(links.where), rowSum)}`;
    if ((await target.getState('links')) === checksum) return 0;
    const known = await target.query<{ oldKey: string; linkSum: number }>(
      `SELECT ${hexSql('old_key')} AS oldKey, link_sum AS linkSum FROM import_player WHERE player_id IS NULL OR link_sum <> 0`,
    );
    const imported = new Map(
      known.filter(({ linkSum }) => linkSum !== 0).map((row) => [row.oldKey, row.linkSum]),
    );
    const skipped = new Set(known.flatMap((row) => (row.linkSum === 0 ? row.oldKey : [])));
    const decisions = new LinkDecisions(this.context, (key) => skipped.has(key), imported);
    let isComplete = true;
    await replaceFindings(this.context, target.dataSource.manager, ['link lost'], []);
    const removed = await decisions.findRemoved();
    let count = removed.length;
    for (const batch of batchesOf(removed)) await this.unlink(batch, links.provider);
    for (const { key } of removed) imported.delete(key);
    for await (const batch of decisions.read())
      await target.transaction(async (manager) => {
        const here = await findImported(manager, batch.links);
        const arrived = batch.links.flatMap((link) => {
          const id = here.get(link.key)?.playerId;
          return typeof id === 'number' ? [{ ...link, id }] : [];
        });
        // The other players registered with the old service after this run had read the old table.
        if (arrived.length < batch.links.length) isComplete = false;
        const open = await lockOpenPlayers(manager, arrived);
        const rows = open.map(
          ({ id, connectId }) => `(${target.literals([id, links.provider, connectId])})`,
        );
        const sql = `INSERT INTO player_connect_threeparty (player_id, provider, connect_id) VALUES ${rows.join(', ')}`;
        if (rows.length > 0) await runStatement(manager, sql);
        await setLinkSums(manager, batch.links);
        await storeFindings(this.context, manager, batch.findings);
        count += rows.length;
      });
    // Without a stored checksum, the next run imports the remaining links.
    if (isComplete) await target.setState('links', checksum);
    return count;
  }

  /** Reserves names that have roles in the game but no player, or a stranger could register them and get the roles. */
  async reserveNames(): Promise<void> {
    const { target, game } = this.context;
    const { dataSource } = target;
    const owned = new KeyCounter();
    const undecided = await this.findCollided();
    const select = 'SELECT id, account, game_account AS inGame FROM player';
    for await (const rows of target.pages<{ account: string; inGame: string | null }>(select))
      for (const { id, account, inGame } of rows) {
        owned.add(foldName(inGame ?? account));
        const spellings = game.spellingsOf(inGame ?? account);
        if (spellings.length > 0 && spellings.every(({ seen }) => seen !== inGame))
          undecided.push(id);
      }
    for (const batch of batchesOf(undecided)) await this.setGameNames(batch);
    await endReservations(dataSource.manager);
    const findings = await ownerlessNameFindings(this.context, (name) => owned.count(name) > 0);
    const names = findings.map(({ name }) => name);
    await reserveNames(dataSource, names);
    await target.transaction((manager) =>
      replaceFindings(this.context, manager, [OWNERLESS], findings),
    );
  }

  /** Returns players without `game_account` whose old name a later player also wanted. */
  private async findCollided(): Promise<number[]> {
    const { target } = this.context;
    const name = target.embedded ? 'f.account' : 'f.account COLLATE utf8mb4_unicode_ci';
    const rows = await target.query<{ id: number }>(
      `SELECT DISTINCT p.id FROM import_finding f JOIN player p ON p.account = ${name}
        WHERE f.class IN (${target.literals(COLLISIONS)}) AND p.game_account IS NULL`,
    );
    return rows.map(({ id }) => id);
  }

  /** Gives imported players the roles under their exact old name, unless another player has them. */
  private async setGameNames(ids: number[]): Promise<void> {
    const { target, game } = this.context;
    const rows = await target.query<{
      oldKey: string;
      account: string;
      inGame: string | null;
      id: number;
    }>(
      `SELECT ${hexSql('m.old_key')} AS oldKey, p.account, p.game_account AS inGame, p.id
         FROM import_player m JOIN player p ON p.id = m.player_id
        WHERE p.id IN (${ids.join(', ')}) AND p.closed_at IS NULL`,
    );
    const found = await readOldPlayers(this.context, rows);
    await target.transaction(async (manager) => {
      for (const { id, account, inGame, old } of found) {
        const name = game.exactSpellingOf(old.name) ?? old.name;
        const isOld = inGame === null ? account === old.account : inGame === old.name;
        if (!isOld || name.length > MAX_NAME) continue;
        const literal = target.literal(name);
        const taken = `SELECT id FROM player WHERE game_account = ${literal}`;
        const before = inGame === null ? 'IS NULL' : `= ${target.literal(inGame)}`;
        const set = `UPDATE player SET game_account = ${literal} WHERE id = ${id} AND game_account ${before}`;
        if ((await manager.query<unknown[]>(taken)).length === 0) await runStatement(manager, set);
      }
    });
  }

  /** Removes imported links, unless the player has another one by now. */
  private unlink(removed: Array<{ key: string }>, provider: string): Promise<void> {
    return this.context.target.transaction(async (manager) => {
      const imported = await findImported(manager, removed);
      for (const { playerId, linkSum } of imported.values()) {
        const which = `player_id = ${playerId} AND provider = '${provider}'`;
        const [link] = await manager.query<Array<{ connectId: string }>>(
          `SELECT connect_id AS connectId FROM player_connect_threeparty WHERE ${which}`,
        );
        if (link && crcOf(link.connectId) === linkSum)
          await runStatement(manager, `DELETE FROM player_connect_threeparty WHERE ${which}`);
      }
      const which = `old_key IN (${keyList(removed)})`;
      await runStatement(manager, `UPDATE import_player SET link_sum = 0 WHERE ${which}`);
    });
  }

  /** Applies bans that began, changed or ended in the old ban table since they were imported. */
  async bans(): Promise<number> {
    const { target, map, bans, banFindings, players } = this.context;
    if (!map.bans) return 0;
    await target.transaction((manager) =>
      replaceFindings(this.context, manager, BAN_CLASSES, banFindings),
    );
    const rows = await target.query<{ oldKey: string; banSum: number }>(
      `SELECT ${hexSql('old_key')} AS oldKey, ban_sum AS banSum FROM import_player WHERE ban_sum <> 0`,
    );
    const before = new Map(rows.map((row) => [row.oldKey, row.banSum]));
    const changed = [...new Set([...before.keys(), ...bans.keys()])].filter(
      (key) => banSum(bans.get(key)) !== (before.get(key) ?? 0),
    );
    const updater = new PlayerUpdater(this.context);
    let count = 0;
    for (const keys of batchesOf(changed))
      count += await updater.updateRows(await players.readByKeys(keys), true);
    return count;
  }
}

async function setLinkSums(manager: EntityManager, links: LinkBatch['links']): Promise<void> {
  if (links.length === 0) return;
  const cases = links.map(({ key, connectId }) => `WHEN x'${key}' THEN ${crcOf(connectId)}`);
  const sql = `UPDATE import_player SET link_sum = CASE old_key ${cases.join(' ')} END WHERE old_key IN (${keyList(links)})`;
  await runStatement(manager, sql);
}
