import type { EntityManager } from 'typeorm';
import { runStatement } from '../database/statement.js';
import { CONNECT_ID, LONGEST_CONNECT_ID } from '../links/identity.js';
import { escapeId } from './old-database.js';
import { NO_KEY } from './old-players.js';
import { decodeText } from './old-text.js';
import { BANNED } from './player-draft.js';
import { PlayerUpdater } from './player-updater.js';
import { checksumOfTable, type Reference, references } from './side-tables.js';
import { type Session, tell } from './session.js';

const RULE = 'the first one stays';

/** Links, bans of a table of their own, promoters and zones. */
export class SideRun {
  constructor(private readonly session: Session) {}

  async promotersAndZones(): Promise<{ promoters: number; zones: number }> {
    const { promoters, zones } = this.session.map;
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
      zones: zones ? await this.copy(zones.table, Object.entries(zones.columns), 'server') : 0,
    };
  }

  /** New ones, and nothing where the table is as it was. */
  async links(): Promise<number> {
    const { old, players, target, map, tableOf } = this.session;
    const { links } = map;
    if (!links) return 0;
    const table = tableOf(links.table);
    const checksum = await checksumOfTable(old, table, [links.player, links.connect_id]);
    if ((await target.recall('links')) === checksum) return 0;
    let count = 0;
    const columns = [links.player, links.connect_id];
    for await (const batch of references(old, players, table, columns, links.refers_to))
      count += await this.addLinks(batch, links.provider);
    await target.remember('links', checksum);
    return count;
  }

  /** Players whose ban began or ended in a table of its own since they were moved. */
  async bans(): Promise<number> {
    const { target, map, reading } = this.session;
    if (!map.bans) return 0;
    const rows = await target.query<{ oldKey: Uint8Array }>(
      `SELECT old_key AS oldKey FROM moveover_player WHERE banned = ${BANNED.before}`,
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
    await this.session.target.transaction(async (manager) => {
      const id = (await this.idsOf(manager, [key])).get(key);
      if (id !== undefined) await new PlayerUpdater(this.session).setBan(manager, id, banned);
    });
  }

  private addLinks(batch: Reference[], provider: string): Promise<number> {
    const { target, map } = this.session;
    return target.transaction(async (manager) => {
      const keys = batch.flatMap(({ key }) => (key ? [key.toString('hex')] : []));
      const ids = await this.idsOf(manager, keys);
      const wanted = batch.flatMap((reference) => {
        const connectId = reference.value ? decodeText(reference.value, map.charset)?.text : '';
        const id = reference.key && ids.get(reference.key.toString('hex'));
        const usable = connectId && connectId.length <= LONGEST_CONNECT_ID;
        if (id !== undefined && usable && CONNECT_ID.test(connectId))
          return [{ id, connectId, reference }];
        const nobody = id === undefined ? 'its player is not there' : 'it is no identity';
        this.tellLost(reference, `${connectId}: ${nobody}`);
        return [];
      });
      const present = await this.presentLinks(manager, wanted, provider);
      const fresh = wanted.filter(({ id, connectId, reference }) => {
        const [byPlayer, byIdentity] = [present.get(`#${id}`), present.get(connectId)];
        if (byPlayer === connectId) return false;
        if (byPlayer !== undefined)
          this.tellLost(reference, `${connectId}: the account has ${byPlayer}`);
        else if (byIdentity !== undefined)
          this.tellLost(reference, `${connectId}: belongs to another account`);
        if (byPlayer !== undefined || byIdentity !== undefined) return false;
        present.set(`#${id}`, connectId).set(connectId, `#${id}`);
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

  private async presentLinks(
    manager: EntityManager,
    wanted: Array<{ id: number; connectId: string }>,
    provider: string,
  ): Promise<Map<string, string>> {
    if (wanted.length === 0) return new Map();
    const identities = wanted.map(({ connectId }) => this.session.target.literal(connectId));
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

  private tellLost({ player, key }: Reference, detail: string): void {
    const name = decodeText(player, this.session.map.charset)?.text ?? player.toString('hex');
    tell(this.session, { key: key ?? NO_KEY, name }, { class: 'link lost', detail, rule: RULE });
  }

  private async idsOf(manager: EntityManager, keys: string[]): Promise<Map<string, number>> {
    if (keys.length === 0) return new Map();
    const rows = await manager.query<Array<{ oldKey: Uint8Array; id: number }>>(
      `SELECT old_key AS oldKey, player_id AS id FROM moveover_player
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
    const { old, target, map, tableOf } = this.session;
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
