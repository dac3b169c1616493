import { runStatement } from '../../platform/database/statement.js';
import type { ImportContext } from './import-context.js';
import { clearFindings, type KeyedNote, storeFindings } from './import-findings.js';
import { findImported, lockOpenPlayers } from './imported-players.js';
import { LinkDecisions } from './link-decisions.js';
import { hexSql, NO_KEY } from './old-key.js';
import { toOldPlayer } from './old-player.js';
import { decodeText } from './old-text.js';
import { banSum } from './player-draft.js';
import { PlayerUpdater } from './player-updater.js';
import {
  type Reference,
  readRelatedRows,
  type RelatedRow,
  tableChecksum,
} from './related-tables.js';

const BATCH_SIZE = 1000;

/** Links, promoters, servers, and bans in a separate table. */
export class RelatedTablesImporter {
  constructor(private readonly context: ImportContext) {}

  /** Rows whose id is not here yet; existing ones are not changed. Returns how many are new. */
  async copy(into: 'server' | 'agent'): Promise<number> {
    const { target } = this.context;
    const rows = await readRelatedRows(this.context, into);
    return target.transaction(async (manager) => {
      await clearFindings(this.context, manager, [into]);
      await storeFindings(this.context, manager, relatedNotes(rows, into));
      const present = await manager.query<Array<{ id: number }>>(`SELECT id FROM ${into}`);
      const known = new Set(present.map(({ id }) => id));
      const fresh = rows.filter(({ values }) => values && !known.has(Number(values.id)));
      for (const { values = {} } of fresh) {
        const literals = Object.values(values).map((value) => target.literal(value));
        const sql = `INSERT INTO ${into} (${Object.keys(values).join(', ')}) VALUES (${literals.join(', ')})`;
        await runStatement(manager, sql, []);
      }
      return fresh.length;
    });
  }

  /** Imports new links; does nothing if the table has not changed. */
  async links(): Promise<number> {
    const { old, target, map, tableOf } = this.context;
    const { links } = map;
    if (!links) return 0;
    const table = tableOf(links.table);
    const columns = [links.player, links.connect_id];
    const checksum = await tableChecksum(old, table, links.where, columns);
    if ((await target.getState('links')) === checksum) return 0;
    const missing = await target.query<{ oldKey: string }>(
      `SELECT ${hexSql('old_key')} AS oldKey FROM import_player WHERE player_id IS NULL`,
    );
    const skipped = new Set(missing.map(({ oldKey }) => oldKey));
    let count = 0;
    let isComplete = true;
    await clearFindings(this.context, target.dataSource.manager, ['link lost']);
    for await (const batch of new LinkDecisions(this.context, (key) => skipped.has(key)).read())
      await target.transaction(async (manager) => {
        const ids = await findImported(
          manager,
          batch.links.map(({ key }) => key),
        );
        const found = [...ids.values()].flatMap(({ playerId }) => playerId ?? []);
        const open = await lockOpenPlayers(manager, found);
        const rows = batch.links.flatMap(({ key, connectId }) => {
          const id = ids.get(key)?.playerId;
          // Registered after this run read the players.
          if (typeof id !== 'number') isComplete = false;
          return typeof id === 'number' && open.has(id)
            ? [`(${id}, '${links.provider}', ${target.literal(connectId)})`]
            : [];
        });
        if (rows.length > 0)
          await runStatement(
            manager,
            `INSERT INTO player_connect_threeparty (player_id, provider, connect_id) VALUES ${rows.join(', ')}`,
            [],
          );
        await storeFindings(this.context, manager, batch.notes);
        count += rows.length;
      });
    // Otherwise the next run imports the rest.
    if (isComplete) await target.setState('links', checksum);
    return count;
  }

  /** Applies bans that began, changed, were lifted or ended in the table of bans since they were imported. */
  async bans(lost: Reference[]): Promise<number> {
    const { target, map, oldRowOptions } = this.context;
    if (!map.bans) return 0;
    await target.transaction(async (manager) => {
      await clearFindings(this.context, manager, ['ban lost']);
      await storeFindings(this.context, manager, lostBanNotes(this.context, lost));
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

export function relatedNotes(rows: RelatedRow[], into: 'server' | 'agent'): KeyedNote[] {
  return rows.flatMap(({ id, problem }) =>
    problem === undefined
      ? []
      : [{ key: NO_KEY, name: id, class: into, detail: problem, rule: 'not imported' }],
  );
}

export function lostBanNotes({ map }: ImportContext, lost: Reference[]): KeyedNote[] {
  return lost.map(({ player }) => ({
    key: NO_KEY,
    name: decodeText(player, map.charset)?.text ?? player.toString('hex'),
    class: 'ban lost',
    detail: 'no player has this name',
    rule: 'dropped',
  }));
}
