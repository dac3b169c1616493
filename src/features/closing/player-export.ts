import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlTime, toIsoTime } from '../../platform/database/sql-time.js';
import { selectRows } from '../../platform/database/statement.js';
import { EVENTS, type ExportSection, PROFILE, SECTIONS, WITHDRAWALS } from './export-sections.js';

const PAGE_SIZE = 500;
const TIME = /_at$|^until$/;
/** The drivers give BIGINT as text. */
const NUMBERS = new Set(['role_id', 'amount', 'balance_before']);

type Row = Record<string, unknown>;

/** Everything that we hold about a player, as pieces of one JSON text, read while it is sent. */
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
    if (!section.isPaged) {
      yield await this.select(section, [playerId]);
      return;
    }
    const columns = { id: 't.id', created_at: 't.created_at', ...section.columns };
    const from = `${section.from} AND t.created_at >= ? AND (t.created_at > ? OR t.id > ?)
      ORDER BY t.created_at, t.id LIMIT ${PAGE_SIZE}`;
    let [time, id]: unknown[] = [sqlTime(0), 0];
    for (;;) {
      const page = await this.select({ ...section, columns, from }, [playerId, time, time, id]);
      yield page;
      const last = page.at(-1);
      if (!last || page.length < PAGE_SIZE) return;
      // SQLite gives, and compares, times as text.
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
