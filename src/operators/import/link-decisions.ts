import type { EntityManager } from 'typeorm';
import {
  CONNECT_ID_PATTERN,
  MAX_CONNECT_ID_LENGTH,
} from '../../features/links/third-party-identity.js';
import type { ImportContext } from './import-context.js';
import type { KeyedNote } from './import-findings.js';
import { hexSql, NO_KEY } from './old-key.js';
import { decodeText } from './old-text.js';
import { type Reference, readReferences } from './related-tables.js';

interface NewLink {
  key: string;
  connectId: string;
}

/** Decides which old links are imported: the first one of an identity and of a player. */
export class LinkDecisions {
  /** By the player's key. */
  private readonly identities = new Map<string, string>();
  private readonly owners = new Map<string, string>();

  constructor(
    private readonly context: ImportContext,
    /** Keys of players who are not imported. */
    private readonly isMissing: (key: string) => boolean,
  ) {}

  async *read(): AsyncGenerator<{ links: NewLink[]; notes: KeyedNote[] }> {
    const { old, players, map, tableOf, target } = this.context;
    if (!map.links) return;
    const isMigrated = await target.isMigrated();
    for await (const batch of readReferences(old, players, tableOf, map.links, [
      map.links.connect_id,
    ])) {
      if (isMigrated) await this.loadPresent(target.dataSource.manager, batch, map.links.provider);
      yield this.decide(batch);
    }
  }

  private decide(batch: Reference[]): { links: NewLink[]; notes: KeyedNote[] } {
    const links: NewLink[] = [];
    const notes: KeyedNote[] = [];
    for (const reference of batch) {
      const connectId = this.connectIdOf(reference);
      const key = reference.key;
      const problem = this.problemOf(key, connectId);
      if (problem !== undefined)
        notes.push({
          key: reference.key ?? NO_KEY,
          name: this.textOf(reference.player),
          class: 'link lost',
          detail: `${connectId}: ${problem}`,
          rule: 'the first one stays',
        });
      else if (this.identities.get(key!) !== connectId) {
        links.push({ key: key!, connectId });
        this.identities.set(key!, connectId);
        this.owners.set(connectId, key!);
      }
    }
    return { links, notes };
  }

  private problemOf(key: string | undefined, connectId: string): string | undefined {
    if (key === undefined || this.isMissing(key)) return 'its player is not there';
    if (connectId.length > MAX_CONNECT_ID_LENGTH || !CONNECT_ID_PATTERN.test(connectId))
      return 'it is no identity';
    const own = this.identities.get(key) ?? connectId;
    if (own !== connectId) return `the account has ${own}`;
    return (this.owners.get(connectId) ?? key) === key ? undefined : 'belongs to another account';
  }

  /** Links that already exist here, from this import or made by players. */
  private async loadPresent(manager: EntityManager, batch: Reference[], provider: string) {
    const { target } = this.context;
    const identities = batch.map((reference) => target.literal(this.connectIdOf(reference)));
    const keys = batch.flatMap(({ key }) => (key ? [`x'${key}'`] : []));
    const rows = await manager.query<
      Array<{ id: number; connectId: string; oldKey: string | null }>
    >(
      `SELECT l.player_id AS id, l.connect_id AS connectId, ${hexSql('m.old_key')} AS oldKey
         FROM player_connect_threeparty l LEFT JOIN import_player m ON m.player_id = l.player_id
        WHERE l.provider = '${provider}' AND (l.connect_id IN (${identities.join(', ')})
           OR m.old_key IN (${keys.join(', ') || "''"}))`,
    );
    for (const { id, connectId, oldKey } of rows) {
      // SQLite returns '' for the hex of NULL.
      const owner = oldKey || `#${id}`;
      this.identities.set(owner, connectId);
      this.owners.set(connectId, owner);
    }
  }

  private connectIdOf({ values: [value] }: Reference): string {
    return value ? this.textOf(value) : '';
  }

  private textOf(bytes: Buffer): string {
    return decodeText(bytes, this.context.map.charset)?.text ?? bytes.toString('hex');
  }
}
