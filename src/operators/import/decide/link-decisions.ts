import type { EntityManager } from 'typeorm';
import { CONNECT_ID_PATTERN, MAX_CONNECT_ID_LENGTH } from '../../../features/links/links.dto.js';
import type { ImportContext } from '../target/import-context.js';
import type { Finding } from '../target/import-report.js';
import { crcOf } from '../target/imported-players.js';
import { hexSql, NO_KEY } from '../read/old-player-reader.js';
import { type OldLink, readLinks } from '../read/related-tables.js';

interface LinkBatch {
  links: Array<{ key: string; connectId: string }>;
  findings: Finding[];
}

/** Decides which old links are imported. Only the first link of each identity and of each player is imported. */
export class LinkDecisions {
  /** `identities` maps a player's key to an identity, and `owners` maps an identity to a player's key. */
  private readonly identities = new Map<string, string>();
  private readonly owners = new Map<string, string>();

  constructor(
    private readonly context: ImportContext,
    private readonly isMissing: (key: string) => boolean,
    /** Maps the key of each player to the checksum of the identity that an earlier run linked. */
    private readonly imported: ReadonlyMap<string, number> = new Map(),
  ) {}

  async *read(): AsyncGenerator<LinkBatch> {
    const { players, target } = this.context;
    const isMigrated = await target.isMigrated();
    for await (const batch of readLinks(this.context, players)) {
      if (isMigrated) await this.loadPresent(target.dataSource.manager, batch);
      yield this.decide(batch);
    }
  }

  private decide(batch: OldLink[]): LinkBatch {
    const links: LinkBatch['links'] = [];
    const findings: Finding[] = [];
    for (const { key, name, connectId } of batch) {
      const problem = this.problemOf(key, connectId);
      if (problem !== undefined)
        findings.push({
          key: key ?? NO_KEY,
          name,
          class: 'link lost',
          detail: `${connectId}: ${problem}`,
          rule: 'the first one stays',
        });
      // If a link of an earlier run no longer exists here, the player has removed it.
      else if (
        this.identities.get(key!) !== connectId &&
        this.imported.get(key!) !== crcOf(connectId)
      ) {
        links.push({ key: key!, connectId });
        this.identities.set(key!, connectId);
        this.owners.set(connectId, key!);
      }
    }
    return { links, findings };
  }

  private problemOf(key: string | undefined, connectId: string): string | undefined {
    if (key === undefined || this.isMissing(key)) return 'its player is not there';
    if (connectId.length > MAX_CONNECT_ID_LENGTH || !CONNECT_ID_PATTERN.test(connectId))
      return 'it is no identity';
    if (this.imported.get(key) === crcOf(connectId)) return undefined;
    const own = this.identities.get(key) ?? connectId;
    if (own !== connectId) return `the account has ${own}`;
    return (this.owners.get(connectId) ?? key) === key ? undefined : 'belongs to another account';
  }

  /** Loads links that already exist here, whether the import or a player created them. */
  private async loadPresent(manager: EntityManager, batch: OldLink[]): Promise<void> {
    const { target, map } = this.context;
    const identities = batch.map(({ connectId }) => target.literal(connectId));
    const keys = batch.flatMap(({ key }) => (key ? [`x'${key}'`] : []));
    const rows = await manager.query<
      Array<{ id: number; connectId: string; oldKey: string | null }>
    >(
      `SELECT l.player_id AS id, l.connect_id AS connectId, ${hexSql('m.old_key')} AS oldKey
         FROM player_connect_threeparty l LEFT JOIN import_player m ON m.player_id = l.player_id
        WHERE l.provider = '${map.links!.provider}' AND (l.connect_id IN (${identities.join(', ')})
           OR m.old_key IN (${keys.join(', ') || "''"}))`,
    );
    for (const { id, connectId, oldKey } of rows) {
      // SQLite returns '' for the hex of NULL.
      const owner = oldKey || `#${id}`;
      this.identities.set(owner, connectId);
      this.owners.set(connectId, owner);
    }
  }

  /** Returns the keys of players who have none of their imported links in the old table any more. */
  async findRemoved(): Promise<string[]> {
    const removed = new Set(this.imported.keys());
    for await (const batch of readLinks(this.context, this.context.players))
      for (const { key, connectId } of batch)
        if (this.imported.get(key ?? '') === crcOf(connectId)) removed.delete(key!);
    return [...removed];
  }
}
