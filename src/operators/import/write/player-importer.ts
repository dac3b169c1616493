import { QueryFailedError } from 'typeorm';
import { CommandFailed } from '../../cli/command.js';
import {
  type KeyRange,
  loadSegments,
  storeChunk,
  findImported,
} from '../target/imported-players.js';
import type { ImportContext } from '../target/import-context.js';
import type { ImportPlan } from '../decide/import-plan.js';
import { formatKey, checksumOf } from '../read/old-player-reader.js';
import { type OldRow, toOldPlayer } from '../read/old-player-row.js';
import { PlayerUpdater } from './player-updater.js';
import { PlayerWriter } from './player-writer.js';
import { Progress } from '../target/import-report.js';

/** One worker reads the next rows while the others write. */
const CHUNKS_AT_ONCE = 4;

/** Imports the old players with one transaction per chunk of rows. A new run continues an interrupted one. */
export class PlayerImporter {
  /** `gone` counts imported players who are no longer in the old table. */
  private readonly counts = { imported: 0, unchanged: 0, gone: 0 };
  private readonly freeIds = { next: 0, end: 0 };

  constructor(
    private readonly context: ImportContext,
    private readonly plan: ImportPlan,
  ) {}

  async run() {
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

  /** Reads the next chunk when a worker needs it. If one worker fails, all stop. */
  private async *chunks(segments: KeyRange[]): AsyncGenerator<() => Promise<number>> {
    for (const { after, upTo, checksum } of segments) {
      if (checksum !== undefined && upTo) yield () => this.refreshChunk({ after, upTo, checksum });
      else yield* this.newChunks(after, upTo);
    }
  }

  private async *newChunks(after: string, upTo: string | undefined) {
    let reached = after;
    for await (const rows of this.context.players.readChunks(after, upTo)) {
      const chunk = { after: reached, upTo: rows.at(-1)!.key };
      yield () => this.write(rows, chunk).then(() => rows.length);
      reached = chunk.upTo;
    }
  }

  private async refreshChunk({ after, upTo, checksum }: Required<KeyRange>): Promise<number> {
    const { players } = this.context;
    const now = await players.checksum(after, upTo);
    const count = Number(now.split(':')[0]);
    if (now === checksum) {
      this.counts.unchanged += count;
      return count;
    }
    const rows = await players.read(after, upTo);
    await this.write(rows, { after, upTo });
    return count;
  }

  private async write(rows: OldRow[], chunk: { after: string; upTo: string }): Promise<void> {
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

  private async writeChunk(rows: OldRow[], chunk: { after: string; upTo: string }): Promise<void> {
    const read = rows.map((row) => toOldPlayer(row, this.context.oldRowOptions));
    const added = await this.context.target.transaction(async (manager) => {
      const imported = await findImported(
        manager,
        read.map(({ key }) => key),
      );
      const updater = new PlayerUpdater(this.context);
      // Rows that could not be imported before may have been corrected since.
      for (const { key, isSkipped } of read) {
        if (isSkipped || imported.get(key)?.playerId !== null) continue;
        imported.delete(key);
        await updater.forget(manager, key);
      }
      const fresh = read.filter(({ key }) => !imported.has(key));
      await new PlayerWriter(this.context, this.plan, () => this.freeId()).write(manager, fresh);
      // The next run applies what changed since this one looked for changes, because the checksum will not match.
      const sums = rows.map((row) => ({ ...row, sum: imported.get(row.key)?.rowSum ?? row.sum }));
      const checksum = checksumOf(sums);
      if (this.context.players.numericKey) await storeChunk(manager, { ...chunk, checksum });
      return fresh;
    });
    this.counts.imported += added.filter(({ isSkipped }) => !isSkipped).length;
    this.counts.unchanged += read.length - added.length;
  }

  /** Returns undefined if no reserved id is left, and the database then assigns an id. */
  private freeId(): number | undefined {
    const { next, end } = this.freeIds;
    return next < end ? this.freeIds.next++ : undefined;
  }
}
