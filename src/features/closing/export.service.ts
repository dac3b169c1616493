import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { type PlayerIdentity, requireRecentProof } from '../../platform/auth/identity.service.js';
import { Player } from '../../platform/auth/player.entity.js';
import { DAY_MS } from '../../platform/config/time.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { sqlTime, toIsoTime, selectRows } from '../../platform/database/sql.js';
import { TooManyRequests } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';

/** Describes one table of the exported file. Sections contain no secrets and no data about other players. */
interface ExportSection {
  name: string;
  /** Maps field names in the file to columns of `t`. */
  columns: Record<string, string>;
  /** The FROM clause contains the table `t` and its joins. */
  from: string;
  /**
   * Selects the key by which rows are read page by page, either `t.created_at` and `t.id`, or `t.id` alone. Without a
   * key, the database would sort all rows for every page.
   */
  pagedBy?: 'time' | 'id';
}

const same = (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, `t.${name}`]));

const table = (name: string, tableName: string, columns: string): ExportSection => ({
  name,
  columns: same(columns),
  from: `${tableName} t WHERE t.player_id = ?`,
});
const paged = (...of: Parameters<typeof table>) => ({ ...table(...of), pagedBy: 'time' as const });

const PROFILE: ExportSection = {
  name: 'profile',
  columns: same(
    'account game_account email server_id ip device os browse language agent_id created_at entered_at enter_count disabled_at closing_at',
  ),
  from: 'player t WHERE t.id = ?',
};

// Failed sign-ins may be those of strangers, whose addresses and devices the player must not see.
const IF_OWN = (column: string) => `CASE WHEN t.outcome = 'ok' THEN t.${column} END`;

const SECTIONS: ExportSection[] = [
  table('old_names', 'player_alias', 'name'),
  table('links', 'player_connect_threeparty', 'provider connect_id name created_at'),
  table('authenticator_app', 'player_totp', 'created_at confirmed_at'),
  table('passkeys', 'player_passkey', 'name created_at used_at'),
  {
    ...table(
      'sessions',
      'session',
      'device os browse address created_at seen_at expires_at ended_at',
    ),
    pagedBy: 'id',
  },
  table('known_addresses', 'login_address', 'address seen_at'),
  {
    name: 'sign_ins',
    columns: {
      ...same('created_at way outcome tries'),
      address: IF_OWN('address'),
      device: IF_OWN('device'),
    },
    from: 'login_event t WHERE t.player_id = ?',
    pagedBy: 'time',
  },
  paged('changes', 'player_change', 'created_at what detail address'),
  paged('refused_requests', 'refused_request', 'created_at method path error'),
  paged('mails', 'mail_event', 'created_at kind outcome mailbox'),
  {
    name: 'servers',
    columns: { ...same('server_id entered_at enter_count'), name: 's.name' },
    from: 'player_zone t LEFT JOIN server s ON s.id = t.server_id WHERE t.player_id = ?',
  },
  table('bans', 'player_ban', 'scope reason created_at until lifted_at'),
];

/** Withdrawals are separate from the other sections, because each withdrawal contains its events. */
const WITHDRAWALS = paged(
  'withdrawals',
  'withdraw',
  'server_id role_id role_name amount status reason balance_before order_no address sent_at settled_at',
);
/** The export omits the evidence, because it may name operators. */
const EVENTS = `SELECT withdraw_id, from_status, to_status, cause, created_at FROM withdraw_event
  WHERE withdraw_id IN (?) ORDER BY id`;

const PAGE_SIZE = 500;
const TIME = /_at$|^until$/;
/** These columns become numbers, because the drivers return BIGINT as text. */
const NUMBERS = new Set(['role_id', 'amount', 'balance_before']);

type Row = Record<string, unknown>;

/** Generates a player's data as one JSON document, reading the rows while the response is sent. */
@Injectable()
export class PlayerExport {
  constructor(private readonly dataSource: DataSource) {}

  async *pieces(playerId: number): AsyncGenerator<string> {
    const [profile] = await this.select(PROFILE, [playerId]);
    yield `{"profile":${toJson(profile)}`;
    for (const section of SECTIONS) yield* this.section(section, playerId, async (rows) => rows);
    yield* this.section(WITHDRAWALS, playerId, (rows) => this.withEvents(rows));
    yield '}\n';
  }

  private async *section(
    section: ExportSection,
    playerId: number,
    complete: (rows: Row[]) => Promise<Row[]>,
  ): AsyncGenerator<string> {
    yield `,\n"${section.name}":[`;
    let separator = '';
    for await (const page of this.pages(section, playerId)) {
      if (page.length > 0) yield separator + (await complete(page)).map(toJson).join(',\n');
      separator = ',\n';
    }
    yield ']';
  }

  private async *pages(section: ExportSection, playerId: number): AsyncGenerator<Row[]> {
    if (!section.pagedBy) {
      yield await this.select(section, [playerId]);
      return;
    }
    const columns = { id: 't.id', created_at: 't.created_at', ...section.columns };
    const isById = section.pagedBy === 'id';
    const next = isById
      ? 'AND t.id > ? ORDER BY t.id'
      : 'AND t.created_at >= ? AND (t.created_at > ? OR t.id > ?) ORDER BY t.created_at, t.id';
    const from = `${section.from} ${next} LIMIT ${PAGE_SIZE}`;
    let [time, id]: unknown[] = [sqlTime(0), 0];
    for (;;) {
      const values = isById ? [playerId, id] : [playerId, time, time, id];
      const page = await this.select({ ...section, columns, from }, values);
      yield page;
      const last = page.at(-1);
      if (!last || page.length < PAGE_SIZE) return;
      // SQLite returns and compares times as text.
      time = last.created_at instanceof Date ? sqlTime(last.created_at) : last.created_at;
      id = last.id;
    }
  }

  private async withEvents(withdrawals: Row[]): Promise<Row[]> {
    const ids = withdrawals.map(({ id }) => id);
    const sql = EVENTS.replace('?', ids.map(() => '?').join(', '));
    const events = await selectRows(this.dataSource.manager, sql, ids);
    const eventsOf = (id: unknown) =>
      events
        .filter((event) => Number(event.withdraw_id) === Number(id))
        .map((event) => ({ ...event, withdraw_id: undefined }));
    return withdrawals.map((row) => ({ ...row, events: eventsOf(row.id) }));
  }

  private select({ columns, from }: ExportSection, values: unknown[]): Promise<Row[]> {
    const list = Object.entries(columns).map(([name, column]) => `${column} AS ${name}`);
    return selectRows(this.dataSource.manager, `SELECT ${list.join(', ')} FROM ${from}`, values);
  }
}

function toJson(row: Row | undefined): string {
  return JSON.stringify(row ?? null, (name, value: unknown) => {
    if (value === null) return null;
    if (TIME.test(name)) return toIsoTime(value) ?? value;
    return NUMBERS.has(name) ? Number(value) : value;
  });
}

const RETRY_MS = 10 * 60 * 1000;

@Injectable()
export class ExportService {
  constructor(
    private readonly exports: PlayerExport,
    private readonly rowQueue: RowQueue,
    @InjectRepository(Player) private readonly players: Repository<Player>,
  ) {}

  async open(me: PlayerIdentity, context: RequestContext): Promise<AsyncIterable<string>> {
    requireRecentProof(me);
    const now = new Date();
    await this.takeTurn(me.id, now);
    return this.pieces(me.id, now, context);
  }

  /** Claims the day's export with one conditional statement, so that only one of several parallel requests succeeds. */
  private async takeTurn(id: number, now: Date): Promise<void> {
    const claim = this.players
      .createQueryBuilder()
      .update({ exportedAt: now })
      .where('id = :id AND (exported_at IS NULL OR exported_at <= :before)', {
        id,
        before: new Date(now.getTime() - DAY_MS),
      });
    const { affected } = await this.rowQueue.run(`player ${id}`, () => claim.execute());
    if (affected === 1) return;
    const { exportedAt } = await this.players.findOneByOrFail({ id });
    throw new TooManyRequests(((exportedAt?.getTime() ?? 0) + DAY_MS - now.getTime()) / 1000);
  }

  /** Yields the file. A failed export does not count, and an aborted download can be repeated after ten minutes. */
  private async *pieces(
    id: number,
    exportedAt: Date,
    context: RequestContext,
  ): AsyncGenerator<string> {
    let counted: Date | null = new Date(exportedAt.getTime() - DAY_MS + RETRY_MS);
    try {
      for await (const piece of this.exports.pieces(id)) {
        // An export that fails before its first piece is not recorded.
        context.change ??= { what: 'exported' };
        yield piece;
      }
      counted = exportedAt;
    } catch (error) {
      counted = null;
      throw error;
    } finally {
      if (counted !== exportedAt)
        await this.players.update({ id, exportedAt }, { exportedAt: counted });
    }
  }
}
