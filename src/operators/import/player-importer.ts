import { QueryFailedError } from 'typeorm';
import { CommandFailed } from '../cli/command.js';
import { type KeyRange, loadSegments, storeChunk } from './chunks.js';
import type { ImportContext } from './import-context.js';
import type { ImportPlan } from './import-plan.js';
import { findImported, ROWS_PER_CHUNK } from './imported-players.js';
import { formatKey } from './old-key.js';
import { type OldRow, toOldPlayer } from './old-player.js';
import { checksumOf } from './old-players.js';
import { PlayerUpdater } from './player-updater.js';
import { PlayerWriter } from './player-writer.js';
import { Progress } from './progress.js';

/** One worker reads the next rows while the others write. */
const CHUNKS_AT_ONCE = 4;

export interface RunCounts {
  imported: number;
  updated: number;
  unchanged: number;
  /** Imported before, and no longer in the old table. */
  gone: number;
}

/** Imports the old players, a chunk of rows per transaction. Continues an interrupted run. */
export class PlayerImporter {
  private readonly counts: RunCounts = { imported: 0, updated: 0, unchanged: 0, gone: 0 };
  private readonly freeIds = { next: 0, end: 0 };

  constructor(
    private readonly context: ImportContext,
    private readonly plan: ImportPlan,
  ) {}

  async run(): Promise<RunCounts> {
    const { players, target } = this.context;
    const { largest, unusable } = await players.ids();
    const [imported] = await target.query<{ n: string }>(
      'SELECT COUNT(*) AS n FROM import_player WHERE player_id IS NOT NULL',
    );
    const needed = players.numericKey ? unusable : Math.max(0, unusable - Number(imported?.n));
    this.freeIds.next = await target.reserveIds(largest, needed);
    this.freeIds.end = this.freeIds.next + needed;
    const total = await players.count();
    const progress = new Progress('importing', total);
    const chunks = this.chunks(await loadSegments(target, players.numericKey));
    const work = async () => {
      for await (const takeOver of chunks) progress.advance(await takeOver());
    };
    const workers = target.embedded ? 1 : CHUNKS_AT_ONCE;
    await Promise.all(Array.from({ length: workers }, work));
    const [{ n } = { n: 0 }] = await target.query<{ n: string | number }>(
      'SELECT COUNT(*) AS n FROM import_player',
    );
    this.counts.gone = Math.max(0, Number(n) - total);
    return this.counts;
  }

  /** Read one at a time, as the workers need them. A failing worker stops all. */
  private async *chunks(segments: KeyRange[]): AsyncGenerator<() => Promise<number>> {
    for (const { after, upTo, checksum } of segments) {
      if (checksum !== undefined && upTo) yield () => this.refreshChunk({ after, upTo, checksum });
      else yield* this.newChunks(after, upTo);
    }
  }

  private async *newChunks(after: string, upTo: string | undefined) {
    for (let reached = after; ;) {
      const rows = await this.context.players.read(reached, upTo, ROWS_PER_CHUNK);
      const last = rows.at(-1)?.key;
      if (last === undefined) return;
      const chunk = { after: reached, upTo: last, checksum: checksumOf(rows) };
      yield () => this.write(rows, chunk).then(() => rows.length);
      reached = last;
    }
  }

  /** Reads a chunk again only if its checksum differs. */
  private async refreshChunk({ after, upTo, checksum }: Required<KeyRange>): Promise<number> {
    const { players } = this.context;
    const now = await players.checksum(after, upTo);
    const count = Number(now.split(':')[0]);
    if (now === checksum) {
      this.counts.unchanged += count;
      return count;
    }
    const rows = await players.read(after, upTo);
    await this.write(rows, { after, upTo, checksum: checksumOf(rows) });
    return count;
  }

  private async write(rows: OldRow[], chunk: Required<KeyRange>): Promise<void> {
    try {
      await this.writeChunk(rows, chunk);
    } catch (error) {
      if (!(error instanceof QueryFailedError)) throw error;
      const { numericKey } = this.context.players;
      const [from, to] = [chunk.after, chunk.upTo].map((key) => formatKey(key, numericKey));
      throw new CommandFailed(
        `the account database refuses a row after ${from || 'the first'}, up to ${to}, of the old table (${error.message}); everything before it is imported, and another --run goes on`,
        { cause: error },
      );
    }
  }

  private async writeChunk(rows: OldRow[], chunk: Required<KeyRange>): Promise<void> {
    const read = rows.map((row) => toOldPlayer(row, this.context.oldRowOptions));
    const { added, updated } = await this.context.target.transaction(async (manager) => {
      const imported = await findImported(
        manager,
        read.map(({ key }) => key),
      );
      const updater = new PlayerUpdater(this.context);
      // Players whose row was corrected since it could not be imported.
      for (const { key, isSkipped } of read) {
        if (isSkipped || imported.get(key)?.playerId !== null) continue;
        imported.delete(key);
        await updater.forget(manager, key);
      }
      const fresh = read.filter(({ key }) => !imported.has(key));
      await new PlayerWriter(this.context, this.plan, () => this.freeId()).write(manager, fresh);
      const changed = read.filter((old) => (imported.get(old.key)?.rowSum ?? old.sum) !== old.sum);
      for (const old of changed) await updater.update(manager, old, imported.get(old.key)!);
      if (this.context.players.numericKey) await storeChunk(manager, chunk);
      return { added: fresh, updated: changed };
    });
    this.counts.imported += added.filter(({ isSkipped }) => !isSkipped).length;
    this.counts.updated += updated.length;
    this.counts.unchanged += read.length - added.length - updated.length;
  }

  /** A repeated transaction takes new ones. Without one, the database numbers the player. */
  private freeId(): number | undefined {
    const { next, end } = this.freeIds;
    return next < end ? this.freeIds.next++ : undefined;
  }
}
