import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { addAction, addList, addQuery, parseId, parseSince } from '../arguments.js';
import { callMethod, type Runner } from '../command.js';
import { inCommandContext } from '../in-command-context.js';
import { WITHDRAWAL_STATUSES } from '../../../features/withdraw/record/withdrawal-status.js';
import type { WithdrawalCommand } from './withdrawal.command.js';

const WHICH = 'its id or its order_no, as in the log of the game server';
const NOTES = `
At a terminal settle and reopen say what they will do, and ask unless --yes. Times are UTC.
On a first run: npm run withdrawal -- … in place of gatehouse withdrawal …

Examples
  gatehouse withdrawal list --account dragon_slayer --since 1d
  gatehouse withdrawal reconcile --date today --server 3
  gatehouse withdrawal settle 42 succeeded --by anna --note "in the log of server 3, 14:02" --yes`;

const runWithdrawal: Runner<WithdrawalCommand> = inCommandContext(async () => {
  const { WithdrawalCommandModule } = await import('./withdrawal-command.module.js');
  const { WithdrawalCommand: handler } = await import('./withdrawal.command.js');
  return { module: WithdrawalCommandModule, handler };
});

export function registerWithdrawal(program: Command, run = runWithdrawal): void {
  const call = callMethod(run);
  const withdrawal = program
    .command('withdrawal')
    .description('lists, shows, settles, reopens and reconciles withdrawals')
    .addHelpText('after', NOTES);
  addList(withdrawal, 'list', 'newest first')
    .option('--account <name>')
    .option('--server <id>', 'id of a server', parseId)
    .addOption(new Option('--status <status>').choices(WITHDRAWAL_STATUSES))
    .option('--since <time>', '30m, 2h, 1d … or a time in UTC', parseSince)
    .action(call('list'));
  addQuery(withdrawal, 'show', 'history with evidence, and the current balance')
    .argument('<id>', WHICH, parseWithdrawal)
    .action(call('show'));
  addAction(withdrawal, 'settle', 'records the outcome of an unknown withdrawal')
    .argument('<id>', WHICH, parseWithdrawal)
    .addArgument(
      new Argument('<outcome>', 'it was deducted, or was not').choices(['succeeded', 'failed']),
    )
    .action(call('settle'));
  addAction(withdrawal, 'reopen', 'makes a settled withdrawal unknown again, to correct it')
    .argument('<id>', WHICH, parseWithdrawal)
    .action(call('reopen'));
  addQuery(withdrawal, 'orphans', 'orders that were sent and whose withdrawal is gone').action(
    call('listOrphans'),
  );
  addQuery(
    withdrawal,
    'reconcile',
    'what was withdrawn on a day, and whether the game servers agree',
  )
    .option('--date <day>', 'YYYY-MM-DD or today, default: yesterday', parseDay)
    .option('--server <id>', 'only this server', parseId)
    .action(call('reconcile'));
}

function parseWithdrawal(text: string): number | string {
  return /^w/i.test(text) ? `W${text.slice(1).toLowerCase()}` : parseId(text);
}

function parseDay(text: string): string {
  if (text === 'today') return text;
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('Must be today or a day such as 2026-11-15.');
  return text;
}
