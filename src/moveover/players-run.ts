import type { EntityManager } from 'typeorm';
import { type Segment, segmentsInOrder, segmentsOf, storeChunk } from './chunks.js';
import { InParallel } from './in-parallel.js';
import type { Keepers } from './mailbox-settler.js';
import { type OldPlayer, type OldRow, toOldPlayer } from './old-player.js';
import { checksumOf } from './old-players.js';
import { type Moved, PlayerUpdater } from './player-updater.js';
import { PlayerWriter } from './player-writer.js';
import { Progress } from './progress.js';
import type { Finding, Report } from './report.js';
import type { Session } from './session.js';

const ROWS_IN_A_CHUNK = 5000;
const WRITERS = 3;
const LARGEST_INT = 2_147_483_647;

export interface RunCounts {
  moved: number;
  updated: number;
  unchanged: number;
  /** Moved before, and no longer in the old table. */
  gone: number;
}

/** Takes the old players over, a chunk of rows in a transaction. Goes on where an earlier run was cut off. */
export class PlayersRun {
  private readonly counts: RunCounts = { moved: 0, updated: 0, unchanged: 0, gone: 0 };
  private readonly keepers: Keepers = new Map();
  private nextId?: number;

  constructor(private readonly session: Session) {}

  async run(): Promise<RunCounts> {
    const { players, target } = this.session;
    const total = await players.count();
    const largest = await players.largestId();
    const fits = players.numericKey && largest <= LARGEST_INT;
    const first = await target.reserveIds(fits ? largest : 0, fits ? 0 : total);
    this.nextId = fits ? undefined : first;
    const progress = new Progress('moving', total);
    // Gaps between names cannot be told, so that they are taken one after another.
    const parallel = new InParallel(target.embedded || !players.numericKey ? 1 : WRITERS);
    const segments = await (players.numericKey ? segmentsOf(target) : segmentsInOrder(target));
    for (const segment of segments) {
      const { after, upTo, checksum } = segment;
      if (checksum !== undefined && upTo)
        await parallel.begin(async () => {
          progress.advance(await this.renew({ after, upTo, checksum }));
        });
      else await this.take(segment, parallel, progress);
    }
    await parallel.end();
    progress.end();
    return this.counts;
  }

  private async take({ after, upTo }: Segment, parallel: InParallel, progress: Progress) {
    for (let reached = after; ;) {
      const rows = await this.session.players.read(reached, upTo, ROWS_IN_A_CHUNK);
      const last = rows.at(-1)?.key;
      if (last === undefined) return;
      const from = reached;
      await parallel.begin(async () => {
        await this.write(rows, { after: from, upTo: last, checksum: checksumOf(rows) });
        progress.advance(rows.length);
      });
      reached = last;
    }
  }

  /** Reads a chunk again only where its checksum is another one. */
  private async renew({ after, upTo, checksum }: Required<Segment>): Promise<number> {
    const { players } = this.session;
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

  private async write(rows: OldRow[], chunk: Required<Segment>, before?: string): Promise<void> {
    const read = rows.map((row) => toOldPlayer(row, this.session.reading));
    const { counts, findings } = await this.session.target.transaction(async (manager) => {
      // Told once the transaction is done: it may have to begin anew.
      const told: Finding[] = [];
      const report = { add: (finding: Finding) => told.push(finding) } as unknown as Report;
      const session = { ...this.session, report };
      const moved = await this.movedOf(manager, chunk, read);
      await this.retryLeftBehind(manager, read, moved);
      const knownOf = ({ key }: OldPlayer) =>
        moved.size > 0 ? moved.get(key.toString('hex')) : undefined;
      const fresh = read.filter((each) => !knownOf(each));
      await new PlayerWriter(session, this.keepers, () => this.freeId()).write(manager, fresh);
      const updater = new PlayerUpdater(session);
      const changed = read.filter((old) => {
        const known = knownOf(old);
        return known && known.rowSum !== old.sum;
      });
      for (const old of changed) await updater.update(manager, old, knownOf(old)!);
      await storeChunk(manager, chunk);
      return { counts: { fresh, changed, known: moved.size }, findings: told };
    });
    for (const finding of findings) this.session.report.add(finding);
    this.counts.moved += counts.fresh.filter(({ leftBehind }) => !leftBehind).length;
    this.counts.updated += counts.changed.length;
    this.counts.unchanged += read.length - counts.fresh.length - counts.changed.length;
    if (before !== undefined)
      this.counts.gone += counts.known - (read.length - counts.fresh.length);
  }

  /** Those of the chunk that were moved before. */
  private async movedOf(
    manager: EntityManager,
    { after, upTo }: Required<Segment>,
    read: OldPlayer[],
  ): Promise<Map<string, Moved>> {
    const { numericKey } = this.session.players;
    if (!numericKey && read.length === 0) return new Map();
    const literal = (key: Buffer) => `x'${key.toString('hex')}'`;
    const condition = numericKey
      ? `old_key > ${literal(after)} AND old_key <= ${literal(upTo)}`
      : `old_key IN (${read.map(({ key }) => literal(key)).join(', ')})`;
    const rows = await manager.query<Array<Moved & { oldKey: Uint8Array }>>(
      `SELECT old_key AS oldKey, player_id AS playerId, row_sum AS rowSum, password_sum AS passwordSum,
              email_sum AS emailSum, banned
         FROM moveover_player WHERE ${condition}`,
    );
    return new Map(rows.map((row) => [Buffer.from(row.oldKey).toString('hex'), row]));
  }

  /** Those whose row was mended since it could not be moved. */
  private async retryLeftBehind(
    manager: EntityManager,
    read: OldPlayer[],
    moved: Map<string, Moved>,
  ): Promise<void> {
    if (moved.size === 0) return;
    for (const { key, leftBehind } of read) {
      const hex = key.toString('hex');
      if (leftBehind || moved.get(hex)?.playerId !== null) continue;
      moved.delete(hex);
      await manager.query(`DELETE FROM moveover_player WHERE old_key = x'${hex}'`);
    }
  }

  private freeId(): number | undefined {
    return this.nextId === undefined ? undefined : this.nextId++;
  }
}
