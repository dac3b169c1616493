import { CONNECT_ID_PATTERN, MAX_CONNECT_ID_LENGTH } from '../../../features/links/links.dto.js';
import type { ImportContext } from '../target/import-context.js';
import { crcOf } from '../target/imported-players.js';
import { hexSql, NO_KEY } from '../read/old-player-reader.js';
import { type Finding, findingOf } from '../read/old-player-row.js';
import { type OldLink, readLinks } from '../read/related-tables.js';

export interface LinkBatch {
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
      if (isMigrated) await this.loadPresent(batch);
      const { links, findings }: LinkBatch = { links: [], findings: [] };
      for (const { key = NO_KEY, name, connectId } of batch) {
        const problem = this.problemOf(key, connectId);
        const detail = `${connectId}: ${problem}`;
        // If a link of an earlier run no longer exists here, the player has removed it.
        const wasImported = this.imported.get(key) === crcOf(connectId);
        if (problem !== undefined)
          findings.push(findingOf({ key, name }, 'link lost', detail, 'the first one stays'));
        else if (this.identities.get(key) !== connectId && !wasImported) {
          links.push({ key, connectId });
          this.identities.set(key, connectId);
          this.owners.set(connectId, key);
        }
      }
      yield { links, findings };
    }
  }

  private problemOf(key: string, connectId: string): string | undefined {
    if (key === NO_KEY || this.isMissing(key)) return 'its player is not there';
    if (connectId.length > MAX_CONNECT_ID_LENGTH || !CONNECT_ID_PATTERN.test(connectId))
      return 'it is not a valid identity';
    if (this.imported.get(key) === crcOf(connectId)) return undefined;
    const own = this.identities.get(key) ?? connectId;
    if (own !== connectId) return `the account has ${own}`;
    return (this.owners.get(connectId) ?? key) === key ? undefined : 'belongs to another account';
  }

  /** Loads links that already exist here, whether the import or a player created them. */
  private async loadPresent(batch: OldLink[]): Promise<void> {
    const { target, map } = this.context;
    const identities = target.literals(batch.map(({ connectId }) => connectId));
    const keys = batch.flatMap(({ key }) => (key ? [`x'${key}'`] : []));
    const rows = await target.query<{ id: number; connectId: string; oldKey: string | null }>(
      `SELECT l.player_id AS id, l.connect_id AS connectId, ${hexSql('m.old_key')} AS oldKey
         FROM player_connect_threeparty l LEFT JOIN import_player m ON m.player_id = l.player_id
        WHERE l.provider = '${map.links!.provider}' AND (l.connect_id IN (${identities})
           OR m.old_key IN (${keys.join(', ') || "''"}))`,
    );
    for (const { id, connectId, oldKey } of rows) {
      // SQLite returns '' for the hex of NULL.
      const owner = oldKey || `#${id}`;
      this.identities.set(owner, connectId);
      this.owners.set(connectId, owner);
    }
  }

  /** Returns the keys of players whose imported link is no longer in the old table. */
  async findRemoved(): Promise<Array<{ key: string }>> {
    const removed = new Set(this.imported.keys());
    for await (const batch of readLinks(this.context, this.context.players))
      for (const { key = NO_KEY, connectId } of batch)
        if (this.imported.get(key) === crcOf(connectId)) removed.delete(key);
    return Array.from(removed, (key) => ({ key }));
  }
}
