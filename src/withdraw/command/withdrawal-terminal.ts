import { parseArgs } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CommandRefused, UsageError } from '../../command/command.js';
import { Settings } from '../../config/settings.js';
import { dayIn } from '../../config/calendar-day.js';
import { differencesReport, totalsReport, zonesReport } from './reconciliation-report.js';
import { Reconciliation } from './reconciliation.js';
import { WithdrawalZones } from '../game/withdrawal-zones.js';
import { WithdrawalOrphans } from '../record/withdrawal-orphans.js';
import type { Because } from '../record/withdrawal-rows.js';
import { WithdrawalOpen } from '../withdraw.errors.js';
import { listReport, orphansReport, storyReport } from './withdrawal-report.js';
import { WithdrawalBook } from '../record/withdrawal-book.js';
import { WithdrawalEvent } from '../record/withdrawal-event.entity.js';
import { Withdrawal } from '../record/withdrawal.entity.js';
import {
  isFinal,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '../record/withdrawal-states.js';

export const USAGE = `npm run withdrawal -- list [--status unknown] [--limit 50]
npm run withdrawal -- show <id>
npm run withdrawal -- settle <id> succeeded|failed --by <your name> --note <what it rests on>
npm run withdrawal -- reopen <id> --by <your name> --note <why it was settled wrongly>
npm run withdrawal -- orphans                            (orders that were sent and whose withdrawal is gone)
npm run withdrawal -- reconcile [--date YYYY-MM-DD]      (default: yesterday)
Beside a running service, and in its image: node dist/withdrawal.js … in place of npm run withdrawal -- …`;

const SETTLE_BY_HAND = '\nThe game servers cannot be asked for these; settle them by hand:';

type Options = Partial<Record<'status' | 'limit' | 'by' | 'note' | 'date', string>>;

/** What people do about withdrawals on a terminal. Gives the text to print, and whether all is well. */
@Injectable()
export class WithdrawalTerminal {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly book: WithdrawalBook,
    private readonly orphans: WithdrawalOrphans,
    private readonly zones: WithdrawalZones,
    private readonly reconciliation: Reconciliation,
  ) {}

  async run(args: string[]): Promise<{ text: string; ok: boolean }> {
    const { command, rest, options } = understand(args);
    if (command === 'list' && rest.length === 0) return done(await this.list(options));
    if (command === 'show' && rest.length === 1) return done(await this.show(idOf(rest[0])));
    if (command === 'settle' && rest.length === 2)
      return done(await this.settle(idOf(rest[0]), rest[1] ?? '', options));
    if (command === 'reopen' && rest.length === 1)
      return done(await this.reopen(idOf(rest[0]), options));
    if (command === 'orphans' && rest.length === 0) return done(await this.listOrphans());
    if (command === 'reconcile' && rest.length === 0) return this.reconcile(options);
    throw new UsageError(command === undefined ? 'say what to do' : 'not understood');
  }

  private async list({ status, limit = '50' }: Options): Promise<string> {
    if (status !== undefined && !WITHDRAWAL_STATUSES.includes(status as WithdrawalStatus))
      throw new UsageError(`--status is one of ${WITHDRAWAL_STATUSES.join(', ')}`);
    if (!/^[1-9]\d{0,4}$/.test(limit)) throw new UsageError('--limit is a number up to 99999');
    const rows = await this.dataSource.manager.find(Withdrawal, {
      where: status === undefined ? {} : { status: status as WithdrawalStatus },
      order: { id: 'DESC' },
      take: Number(limit),
    });
    if (rows.length === 0) return 'There are none.';
    const unknown = rows.filter((row) => row.status === 'unknown');
    const problems = await Promise.all(unknown.map((row) => this.zones.askingProblem(row)));
    const byHand = unknown.flatMap(({ id }, place) =>
      problems[place] ? [`${id}: ${problems[place]}`] : [],
    );
    return [listReport(rows), ...(byHand.length > 0 ? [SETTLE_BY_HAND, ...byHand] : [])].join('\n');
  }

  private async show(id: number): Promise<string> {
    const row = await this.find(id);
    const [player] = await this.dataSource.query<
      Array<{ account: string; game_account: string | null }>
    >('SELECT account, game_account FROM player WHERE id = ?', [row.playerId]);
    const events = await this.dataSource.manager.find(WithdrawalEvent, {
      where: { withdrawId: id },
      order: { id: 'ASC' },
    });
    const problem = row.orderNo === null ? undefined : await this.zones.askingProblem(row);
    return storyReport(row, player, problem, events);
  }

  private async listOrphans(): Promise<string> {
    const orphans = await this.orphans.unhandled();
    return orphans.length === 0 ? 'There are none.' : orphansReport(orphans);
  }

  private async reopen(id: number, options: Options): Promise<string> {
    const because = byPerson(options);
    const row = await this.find(id);
    if (!isFinal(row.status))
      throw new CommandRefused(
        `withdrawal ${id} is ${row.status}; only a settled one can be reopened`,
      );
    if (row.orderNo === null)
      throw new CommandRefused(`withdrawal ${id} was never sent: there is nothing to find out`);
    try {
      if (await this.book.reopen(row, because))
        return `withdrawal ${id} is unknown again, and its role is locked`;
    } catch (error) {
      if (!(error instanceof WithdrawalOpen)) throw error;
      throw new CommandRefused(
        `the role of withdrawal ${id} has another open withdrawal: settle that one first`,
        { cause: error },
      );
    }
    throw new CommandRefused(`withdrawal ${id} was changed by somebody else meanwhile`);
  }

  private async settle(id: number, to: string, options: Options): Promise<string> {
    if (to !== 'succeeded' && to !== 'failed')
      throw new UsageError('settle it as succeeded (it was deducted) or failed (it was not)');
    const because = byPerson(options);
    const reason = to === 'failed' ? ('game_server_unavailable' as const) : null;
    if (await this.book.move(await this.find(id), 'unknown', to, because, { reason }))
      return `withdrawal ${id} is settled: ${to}`;
    const { status } = await this.find(id);
    throw new CommandRefused(`withdrawal ${id} is ${status}; only an unknown one can be settled`);
  }

  private async reconcile({ date }: Options): Promise<{ text: string; ok: boolean }> {
    if (this.settings.problems.length > 0)
      throw new CommandRefused('mend the settings first: reconcile needs timezone and withdraw');
    const { timezone, withdraw } = this.settings.current;
    const yesterday = dayIn(timezone, new Date(Date.now() - 24 * 60 * 60 * 1000));
    const day = date ?? yesterday;
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
      throw new UsageError('--date is a day such as 2026-11-15');
    const rows = await this.reconciliation.dayOf(day);
    const title = `Withdrawals of ${day} (${timezone})`;
    if (withdraw.gm_query_op === null) {
      const totals = await this.reconciliation.totals(rows);
      const note = 'The game servers cannot be asked (gm_query_op is not set): compare by hand.';
      return { text: `${title}\n${note}\n\n${totalsReport(totals)}`, ok: true };
    }
    const comparisons = await this.reconciliation.compare(rows);
    const notable = comparisons.filter(({ verdict }) => verdict !== 'agrees');
    const text = `${title}\n\n${zonesReport(comparisons)}`;
    if (notable.length === 0) return { text: `${text}\n\nBoth sides agree.`, ok: true };
    return { text: `${text}\n\n${differencesReport(notable)}`, ok: false };
  }

  private async find(id: number): Promise<Withdrawal> {
    const row = await this.book.findById(id);
    if (!row) throw new CommandRefused(`there is no withdrawal ${id}`);
    return row;
  }
}

function understand(args: string[]): { command?: string; rest: string[]; options: Options } {
  const text = { type: 'string' } as const;
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { status: text, limit: text, by: text, note: text, date: text },
    });
    const [command, ...rest] = positionals;
    return { command, rest, options: values };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function idOf(text = ''): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new UsageError(`"${text}" is no id of a withdrawal`);
  return Number(text);
}

function byPerson({ by, note }: Options): Because {
  if (!by?.trim() || !note?.trim()) throw new UsageError('--by and --note are needed');
  return { cause: 'person', evidence: `${by.trim()}: ${note.trim()}` };
}

function done(text: string) {
  return { text, ok: true };
}
