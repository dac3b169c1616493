import type { EntityManager } from 'typeorm';
import { runStatement } from '../../platform/database/statement.js';
import {
  CONNECT_ID_PATTERN,
  MAX_CONNECT_ID_LENGTH,
} from '../../features/links/third-party-identity.js';
import { escapeId } from './old-database.js';
import { NO_KEY } from './old-players.js';
import { decodeText } from './old-text.js';
import { BAN_STATE } from './player-draft.js';
import { PlayerUpdater } from './player-updater.js';
import { tableChecksum, type Reference, readReferences } from './related-tables.js';
import { type ImportContext, reportFinding } from './import-context.js';

const RULE = 'the first one stays';

/** Links, bans of a table of their own, promoters and servers. */
export class RelatedTablesImporter {
  constructor(private readonly context: ImportContext) {}

  async promotersAndServers(): Promise<{ promoters: number; servers: number }> {
    const { promoters, servers } = this.context.map;
    return {
      promoters: promoters
        ? await this.copy(
            promoters.table,
            [
              ['id', promoters.id],
              ['name', promoters.name],
            ],
            'agent',
          )
        : 0,
      servers: servers
        ? await this.copy(servers.table, Object.entries(servers.columns), 'server')
        : 0,
    };
  }

  /** New ones, and nothing where the table is as it was. */
  async links(): Promise<number> {
    const { old, players, target, map, tableOf } = this.context;
    const { links } = map;
    if (!links) return 0;
    const table = tableOf(links.table);
    const checksum = await tableChecksum(old, table, [links.player, links.connect_id]);
    if ((await target.getState('links')) === checksum) return 0;
    let count = 0;
    const columns = [links.player, links.connect_id];
    for await (const batch of readReferences(old, players, table, columns, links.refers_to))
      count += await this.addLinks(batch, links.provider);
    await target.setState('links', checksum);
    return count;
  }

  /** Players whose ban began or ended in a table of its own since they were moved. */
  async bans(): Promise<number> {
    const { target, map, oldRowOptions: reading } = this.context;
    if (!map.bans) return 0;
    const rows = await target.query<{ oldKey: Uint8Array }>(
      `SELECT old_key AS oldKey FROM import_player WHERE banned = ${BAN_STATE.before}`,
    );
    const before = new Set(rows.map(({ oldKey }) => Buffer.from(oldKey).toString('hex')));
    const begun = [...reading.banned].filter((key) => !before.has(key));
    // A ban in the players' own table ends with its row.
    const ended = map.players.banned ? [] : [...before].filter((key) => !reading.banned.has(key));
    for (const key of begun) await this.setBan(key, true);
    for (const key of ended) await this.setBan(key, false);
    return begun.length + ended.length;
  }

  private async setBan(key: string, banned: boolean): Promise<void> {
    await this.context.target.transaction(async (manager) => {
      const id = (await this.idsOf(manager, [key])).get(key);
      if (id !== undefined) await new PlayerUpdater(this.context).setBan(manager, id, banned);
    });
  }

  private addLinks(batch: Reference[], provider: string): Promise<number> {
    const { target, map } = this.context;
    return target.transaction(async (manager) => {
      const keys = batch.flatMap(({ key }) => (key ? [key.toString('hex')] : []));
      const ids = await this.idsOf(manager, keys);
      const wanted = batch.flatMap((reference) => {
        const connectId = reference.value ? decodeText(reference.value, map.charset)?.text : '';
        const id = reference.key && ids.get(reference.key.toString('hex'));
        const usable = connectId && connectId.length <= MAX_CONNECT_ID_LENGTH;
        if (id !== undefined && usable && CONNECT_ID_PATTERN.test(connectId))
          return [{ id, connectId, reference }];
        const reason = id === undefined ? 'its player is not there' : 'it is no identity';
        this.reportLostLink(reference, `${connectId}: ${reason}`);
        return [];
      });
      const existing = await this.existingLinks(manager, wanted, provider);
      const fresh = wanted.filter(({ id, connectId, reference }) => {
        const [byPlayer, byIdentity] = [existing.get(`#${id}`), existing.get(connectId)];
        if (byPlayer === connectId) return false;
        if (byPlayer !== undefined)
          this.reportLostLink(reference, `${connectId}: the account has ${byPlayer}`);
        else if (byIdentity !== undefined)
          this.reportLostLink(reference, `${connectId}: belongs to another account`);
        if (byPlayer !== undefined || byIdentity !== undefined) return false;
        existing.set(`#${id}`, connectId).set(connectId, `#${id}`);
        return true;
      });
      const rows = fresh.map(
        ({ id, connectId }) => `(${id}, '${provider}', ${target.literal(connectId)})`,
      );
      if (rows.length > 0)
        await runStatement(
          manager,
          `INSERT INTO player_connect_threeparty (player_id, provider, connect_id) VALUES ${rows.join(', ')}`,
          [],
        );
      return rows.length;
    });
  }

  private async existingLinks(
    manager: EntityManager,
    wanted: Array<{ id: number; connectId: string }>,
    provider: string,
  ): Promise<Map<string, string>> {
    if (wanted.length === 0) return new Map();
    const identities = wanted.map(({ connectId }) => this.context.target.literal(connectId));
    const rows = await manager.query<Array<{ id: number; connectId: string }>>(
      `SELECT player_id AS id, connect_id AS connectId FROM player_connect_threeparty
        WHERE provider = '${provider}' AND (connect_id IN (${identities.join(', ')})
           OR player_id IN (${wanted.map(({ id }) => id).join(', ')}))`,
    );
    return new Map(
      rows.flatMap(({ id, connectId }): Array<[string, string]> => [
        [`#${id}`, connectId],
        [connectId, `#${id}`],
      ]),
    );
  }

  private reportLostLink({ player, key }: Reference, detail: string): void {
    const name = decodeText(player, this.context.map.charset)?.text ?? player.toString('hex');
    reportFinding(
      this.context,
      { key: key ?? NO_KEY, name },
      { class: 'link lost', detail, rule: RULE },
    );
  }

  private async idsOf(manager: EntityManager, keys: string[]): Promise<Map<string, number>> {
    if (keys.length === 0) return new Map();
    const rows = await manager.query<Array<{ oldKey: Uint8Array; id: number }>>(
      `SELECT old_key AS oldKey, player_id AS id FROM import_player
        WHERE player_id IS NOT NULL AND old_key IN (${keys.map((key) => `x'${key}'`).join(', ')})`,
    );
    return new Map(rows.map(({ oldKey, id }) => [Buffer.from(oldKey).toString('hex'), id]));
  }

  /** Rows whose id is not there yet; the others stay as operations has them. */
  private async copy(
    table: string,
    columns: Array<[string, string]>,
    into: string,
  ): Promise<number> {
    const { old, target, map, tableOf } = this.context;
    const theirs = columns.map(([, column]) => column);
    const select = theirs.map((column) => `CAST(${escapeId(column)} AS BINARY)`);
    const rows = await old.rows<Array<Buffer | null>>(
      `SELECT ${select.join(', ')} FROM ${escapeId(tableOf(table))}`,
    );
    const there = await target.query<{ id: number }>(`SELECT id FROM ${into}`);
    const known = new Set(there.map(({ id }) => String(id)));
    let count = 0;
    for (const row of rows) {
      const texts = row.map((bytes) => (bytes ? (decodeText(bytes, map.charset)?.text ?? '') : ''));
      if (known.has(texts[0] ?? '')) continue;
      const values = texts.map((text) =>
        target.literal(/^\d{1,9}$/.test(text) ? Number(text) : text),
      );
      await target.query(
        `INSERT INTO ${into} (${columns.map(([ours]) => ours).join(', ')}) VALUES (${values.join(', ')})`,
      );
      count++;
    }
    return count;
  }
}
