import type { EntityManager } from 'typeorm';
import { type KeyRange, loadSegmentsByName, loadSegments, storeChunk } from './chunks.js';
import type { MailboxKeepers } from './mailbox-resolver.js';
import { type OldPlayer, type OldRow, toOldPlayer } from './old-player.js';
import { checksumOf } from './old-players.js';
import { type ImportedPlayer, PlayerUpdater } from './player-updater.js';
import { PlayerWriter } from './player-writer.js';
import { Progress } from './progress.js';
import type { Finding, ImportReport } from './import-report.js';
import type { ImportContext } from './import-context.js';

const ROWS_PER_CHUNK = 5000;
/** One of them waits for the next rows while the others write. */
const CHUNKS_AT_ONCE = 4;
const MAX_INT = 2_147_483_647;

export interface RunCounts {
  imported: number;
  updated: number;
  unchanged: number;
  /** Moved before, and no longer in the old table. */
  gone: number;
}

/** Takes the old players over, a chunk of rows in a transaction. Goes on where an earlier run was cut off. */
export class PlayerImporter {
  private readonly counts: RunCounts = { imported: 0, updated: 0, unchanged: 0, gone: 0 };
  private readonly keepers: MailboxKeepers = new Map();
  private nextId?: number;

  constructor(private readonly context: ImportContext) {}

  async run(): Promise<RunCounts> {
    const { players, target } = this.context;
    const total = await players.count();
    const largest = await players.largestId();
    const fits = players.numericKey && largest <= MAX_INT;
    const first = await target.reserveIds(fits ? largest : 0, fits ? 0 : total);
    this.nextId = fits ? undefined : first;
    const progress = new Progress('moving', total);
    const segments = await (players.numericKey ? loadSegments(target) : loadSegmentsByName(target));
    const chunks = this.chunks(segments);
    const work = async () => {
      for await (const takeOver of chunks) progress.advance(await takeOver());
    };
    // Gaps between names cannot be told, so that they are taken one after another.
    const workers = target.embedded || !players.numericKey ? 1 : CHUNKS_AT_ONCE;
    await Promise.all(Array.from({ length: workers }, work));
    progress.end();
    return this.counts;
  }

  /** Read one at a time, as the workers ask for them. A worker that fails ends it for all. */
  private async *chunks(segments: KeyRange[]): AsyncGenerator<() => Promise<number>> {
    for (const { after, upTo, checksum } of segments) {
      if (checksum !== undefined && upTo) yield () => this.refreshChunk({ after, upTo, checksum });
      else yield* this.newChunks(after, upTo);
    }
  }

  private async *newChunks(after: Buffer, upTo: Buffer | undefined) {
    for (let reached = after; ;) {
      const rows = await this.context.players.read(reached, upTo, ROWS_PER_CHUNK);
      const last = rows.at(-1)?.key;
      if (last === undefined) return;
      const chunk = { after: reached, upTo: last, checksum: checksumOf(rows) };
      yield () => this.write(rows, chunk).then(() => rows.length);
      reached = last;
    }
  }

  /** Reads a chunk again only where its checksum is another one. */
  private async refreshChunk({ after, upTo, checksum }: Required<KeyRange>): Promise<number> {
    const { players } = this.context;
    const now = await players.checksum(after, upTo);
    const count = Number(now.split(':')[0]);
    if (now === checksum) {
      this.counts.unchanged += count;
      return count;
    }
    const rows = await players.read(after, upTo);
    await this.write(rows, { after, upTo, checksum: checksumOf(rows) }, checksum);
    return count;
  }

  private async write(rows: OldRow[], chunk: Required<KeyRange>, before?: string): Promise<void> {
    const read = rows.map((row) => toOldPlayer(row, this.context.oldRowOptions));
    const { counts, findings } = await this.context.target.transaction(async (manager) => {
      // Told once the transaction is done: it may have to begin anew.
      const reported: Finding[] = [];
      const report = {
        add: (finding: Finding) => reported.push(finding),
      } as unknown as ImportReport;
      const context = { ...this.context, report };
      const imported = await this.findImported(manager, chunk, read);
      await this.retrySkipped(manager, read, imported);
      const knownOf = ({ key }: OldPlayer) =>
        imported.size > 0 ? imported.get(key.toString('hex')) : undefined;
      const fresh = read.filter((each) => !knownOf(each));
      await new PlayerWriter(context, this.keepers, () => this.freeId()).write(manager, fresh);
      const updater = new PlayerUpdater(context);
      const changed = read.filter((old) => {
        const known = knownOf(old);
        return known && known.rowSum !== old.sum;
      });
      for (const old of changed) await updater.update(manager, old, knownOf(old)!);
      await storeChunk(manager, chunk);
      return { counts: { fresh, changed, known: imported.size }, findings: reported };
    });
    for (const finding of findings) this.context.report.add(finding);
    this.counts.imported += counts.fresh.filter(({ isSkipped: leftBehind }) => !leftBehind).length;
    this.counts.updated += counts.changed.length;
    this.counts.unchanged += read.length - counts.fresh.length - counts.changed.length;
    if (before !== undefined)
      this.counts.gone += counts.known - (read.length - counts.fresh.length);
  }

  /** Those of the chunk that were moved before. */
  private async findImported(
    manager: EntityManager,
    { after, upTo }: Required<KeyRange>,
    read: OldPlayer[],
  ): Promise<Map<string, ImportedPlayer>> {
    const { numericKey } = this.context.players;
    if (!numericKey && read.length === 0) return new Map();
    const literal = (key: Buffer) => `x'${key.toString('hex')}'`;
    const condition = numericKey
      ? `old_key > ${literal(after)} AND old_key <= ${literal(upTo)}`
      : `old_key IN (${read.map(({ key }) => literal(key)).join(', ')})`;
    const rows = await manager.query<Array<ImportedPlayer & { oldKey: Uint8Array }>>(
      `SELECT old_key AS oldKey, player_id AS playerId, row_sum AS rowSum, password_sum AS passwordSum,
              email_sum AS emailSum, banned
         FROM import_player WHERE ${condition}`,
    );
    return new Map(rows.map((row) => [Buffer.from(row.oldKey).toString('hex'), row]));
  }

  /** Those whose row was mended since it could not be moved. */
  private async retrySkipped(
    manager: EntityManager,
    read: OldPlayer[],
    moved: Map<string, ImportedPlayer>,
  ): Promise<void> {
    if (moved.size === 0) return;
    for (const { key, isSkipped: leftBehind } of read) {
      const hex = key.toString('hex');
      if (leftBehind || moved.get(hex)?.playerId !== null) continue;
      moved.delete(hex);
      await manager.query(`DELETE FROM import_player WHERE old_key = x'${hex}'`);
    }
  }

  private freeId(): number | undefined {
    return this.nextId === undefined ? undefined : this.nextId++;
  }
}
