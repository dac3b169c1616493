import type { EntityManager } from 'typeorm';
import { endReservations, reserveNames } from '../../../platform/auth/reserved-names.js';
import { runStatement } from '../../../platform/database/sql.js';
import { KeyCounter } from '../decide/collation-keys.js';
import { LinkDecisions } from '../decide/link-decisions.js';
import { COLLISIONS } from '../decide/present-players.js';
import { toOldPlayer } from '../read/old-player-row.js';
import { hexSql } from '../read/old-player-reader.js';
import { foldName } from '../read/old-values.js';
import { readRelatedRows, tableChecksum } from '../read/related-tables.js';
import type { ImportContext } from '../target/import-context.js';
import {
  BAN_CLASSES,
  banFindings,
  clearFindings,
  OWNERLESS,
  ownerlessNameFindings,
  relatedRowFindings,
  storeFindings,
} from '../target/import-findings.js';
import { banSum, crcOf, findImported, lockOpenPlayers } from '../target/imported-players.js';
import { PlayerUpdater } from './player-updater.js';

const BATCH_SIZE = 1000;
const MAX_NAME = 64;

export class RelatedTablesImporter {
  constructor(private readonly context: ImportContext) {}

  /** Inserts rows whose id does not exist here yet, and returns their number. */
  async copy(into: 'server' | 'agent'): Promise<number> {
    const { target } = this.context;
    const rows = await readRelatedRows(this.context, into);
    return target.transaction(async (manager) => {
      await clearFindings(this.context, manager, [into]);
      await storeFindings(this.context, manager, relatedRowFindings(rows, into));
      const present = await manager.query<Array<{ id: number }>>(`SELECT id FROM ${into}`);
      const known = new Set(present.map(({ id }) => id));
      const fresh = rows.filter(({ values }) => values && !known.has(Number(values.id)));
      for (const { values = {} } of fresh) {
        const literals = Object.values(values).map((value) => target.literal(value));
        const sql = `INSERT INTO ${into} (${Object.keys(values).join(', ')}) VALUES (${literals.join(', ')})`;
        await runStatement(manager, sql);
      }
      return fresh.length;
    });
  }

  /** Imports new links and removes old ones, but does nothing if the old table has not changed. */
  async links(): Promise<number> {
    const { old, target, map, tableOf } = this.context;
    const { links } = map;
    if (!links) return 0;
    const table = tableOf(links.table);
    const columns = [links.player, links.connect_id];
    const checksum = await tableChecksum(old, table, links.where, columns);
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
    await clearFindings(this.context, target.dataSource.manager, ['link lost']);
    const removed = await decisions.findRemoved();
    let count = removed.length;
    for (let at = 0; at < removed.length; at += BATCH_SIZE)
      await this.unlink(removed.slice(at, at + BATCH_SIZE), links.provider);
    for (const key of removed) imported.delete(key);
    for await (const batch of decisions.read())
      await target.transaction(async (manager) => {
        const ids = await findImported(
          manager,
          batch.links.map(({ key }) => key),
        );
        const found = [...ids.values()].flatMap(({ playerId }) => playerId ?? []);
        const open = await lockOpenPlayers(manager, found);
        const rows = batch.links.flatMap(({ key, connectId }) => {
          const id = ids.get(key)?.playerId;
          // A player without an id registered with the old service after this run had read the players.
          if (typeof id !== 'number') isComplete = false;
          return typeof id === 'number' && open.has(id)
            ? [`(${id}, '${links.provider}', ${target.literal(connectId)})`]
            : [];
        });
        const sql = `INSERT INTO player_connect_threeparty (player_id, provider, connect_id) VALUES ${rows.join(', ')}`;
        if (rows.length > 0) await runStatement(manager, sql);
        await setLinkSums(
          manager,
          batch.links.map(({ key, connectId }) => [key, crcOf(connectId)]),
        );
        await storeFindings(this.context, manager, batch.findings);
        count += rows.length;
      });
    // Without a stored checksum, the next run imports the remaining links.
    if (isComplete) await target.setState('links', checksum);
    return count;
  }

  /** Reserves names that have roles in the game but no player, because strangers would get the roles. */
  async reserveNames(): Promise<void> {
    const { target, game } = this.context;
    const { dataSource } = target;
    const owned = new KeyCounter();
    const undecided = await this.findCollided();
    for (let last = 0; ;) {
      const rows = await target.query<{ id: number; account: string; inGame: string | null }>(
        `SELECT id, account, game_account AS inGame FROM player WHERE id > ${last} ORDER BY id LIMIT 5000`,
      );
      for (const { id, account, inGame } of rows) {
        owned.add(foldName(inGame ?? account));
        if (inGame === null && game.spellingsOf(account).length > 0) undecided.push(id);
      }
      if (rows.length === 0) break;
      last = rows.at(-1)!.id;
    }
    for (let at = 0; at < undecided.length; at += BATCH_SIZE)
      await this.setGameNames(undecided.slice(at, at + BATCH_SIZE));
    await endReservations(dataSource.manager);
    const findings = await ownerlessNameFindings(this.context, (name) => owned.count(name) > 0);
    await reserveNames(
      dataSource,
      findings.map(({ name }) => name),
    );
    await target.transaction(async (manager) => {
      await clearFindings(this.context, manager, [OWNERLESS]);
      await storeFindings(this.context, manager, findings);
    });
  }

  /** Returns players without a name in the game whose old name a later player wanted, too. */
  private async findCollided(): Promise<number[]> {
    const { target } = this.context;
    const classes = COLLISIONS.map((kind) => `'${kind}'`).join(', ');
    const name = target.embedded ? 'f.account' : 'f.account COLLATE utf8mb4_unicode_ci';
    const rows = await target.query<{ id: number }>(
      `SELECT DISTINCT p.id FROM import_finding f JOIN player p ON p.account = ${name}
        WHERE f.class IN (${classes}) AND p.game_account IS NULL`,
    );
    return rows.map(({ id }) => id);
  }

  /** Gives imported players the roles of exactly their old name, unless another player has them. */
  private async setGameNames(ids: number[]): Promise<void> {
    const { target, players, oldRowOptions, game } = this.context;
    const rows = await target.query<{ oldKey: string; account: string; id: number }>(
      `SELECT ${hexSql('m.old_key')} AS oldKey, p.account, p.id FROM import_player m JOIN player p ON p.id = m.player_id
        WHERE p.id IN (${ids.join(', ')}) AND p.game_account IS NULL AND p.closed_at IS NULL`,
    );
    const here = new Map(rows.map((row) => [row.oldKey, row]));
    const wanting = (await players.readByKeys([...here.keys()]))
      .map((row) => toOldPlayer(row, oldRowOptions))
      .flatMap(({ key, name, account }) => {
        const inGame = game.exactSpellingOf(name) ?? name;
        const isKept = account === here.get(key)!.account && inGame.length <= MAX_NAME;
        return isKept ? [{ id: here.get(key)!.id, inGame: target.literal(inGame) }] : [];
      });
    await target.transaction(async (manager) => {
      for (const { id, inGame } of wanting) {
        const taken = `SELECT id FROM player WHERE game_account = ${inGame}`;
        const set = `UPDATE player SET game_account = ${inGame} WHERE id = ${id} AND game_account IS NULL`;
        if ((await manager.query<unknown[]>(taken)).length === 0) await runStatement(manager, set);
      }
    });
  }

  /** Removes imported links, unless the player has another one by now. */
  private unlink(keys: string[], provider: string): Promise<void> {
    return this.context.target.transaction(async (manager) => {
      const imported = await findImported(manager, keys);
      for (const { playerId, linkSum } of imported.values()) {
        const which = `player_id = ${playerId} AND provider = '${provider}'`;
        const [link] = await manager.query<Array<{ connectId: string }>>(
          `SELECT connect_id AS connectId FROM player_connect_threeparty WHERE ${which}`,
        );
        if (link && crcOf(link.connectId) === linkSum)
          await runStatement(manager, `DELETE FROM player_connect_threeparty WHERE ${which}`);
      }
      await setLinkSums(
        manager,
        keys.map((key) => [key, 0]),
      );
    });
  }

  /** Applies bans that began, changed or ended in the old ban table since they were imported. */
  async bans(): Promise<number> {
    const { target, map, oldRowOptions } = this.context;
    if (!map.bans) return 0;
    await target.transaction(async (manager) => {
      await clearFindings(this.context, manager, BAN_CLASSES);
      await storeFindings(this.context, manager, banFindings(this.context));
    });
    const rows = await target.query<{ oldKey: string; banSum: number }>(
      `SELECT ${hexSql('old_key')} AS oldKey, ban_sum AS banSum FROM import_player WHERE ban_sum <> 0`,
    );
    const before = new Map(rows.map((row) => [row.oldKey, row.banSum]));
    const changed = [...new Set([...before.keys(), ...oldRowOptions.bans.keys()])].filter(
      (key) => banSum(oldRowOptions.bans.get(key)) !== (before.get(key) ?? 0),
    );
    let count = 0;
    for (let at = 0; at < changed.length; at += BATCH_SIZE)
      count += await this.updateBans(changed.slice(at, at + BATCH_SIZE));
    return count;
  }

  private async updateBans(keys: string[]): Promise<number> {
    const { target, players, oldRowOptions } = this.context;
    const rows = await players.readByKeys(keys);
    const updater = new PlayerUpdater(this.context);
    return target.transaction(async (manager) => {
      const imported = await findImported(manager, keys);
      let count = 0;
      for (const old of rows.map((row) => toOldPlayer(row, oldRowOptions))) {
        const known = imported.get(old.key);
        if (typeof known?.playerId !== 'number') continue;
        if (await updater.updateBan(manager, old, known, known.playerId)) count++;
      }
      return count;
    });
  }
}

async function setLinkSums(manager: EntityManager, sums: Array<[string, number]>): Promise<void> {
  if (sums.length === 0) return;
  const cases = sums.map(([key, sum]) => `WHEN x'${key}' THEN ${sum}`).join(' ');
  const keys = sums.map(([key]) => `x'${key}'`).join(', ');
  const sql = `UPDATE import_player SET link_sum = CASE old_key ${cases} END WHERE old_key IN (${keys})`;
  await runStatement(manager, sql);
}
