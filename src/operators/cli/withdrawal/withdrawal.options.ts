import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import {
  addAction,
  addList,
  addQuery,
  callMethod,
  inCommandContext,
  isDay,
  parseId,
  parseSince,
  TIME_EXAMPLE,
} from '../command-options.js';
import { WITHDRAWAL_STATUSES } from '../../../features/withdraw/record/withdrawal-status.js';

const DAYS = 'today, yesterday or YYYY-MM-DD';
const WHICH = 'its id or its order_no, as in the log of the game server';
const NOTES = `
settle and reopen say what they will do, and ask for confirmation unless you add --yes. Times are UTC unless they end with an offset.
On a first run, type npm run withdrawal -- … instead of gatehouse withdrawal …

Examples
  gatehouse withdrawal list --account dragon_slayer --since 1d
  gatehouse withdrawal reconcile --date today --server 3
  gatehouse withdrawal settle 41,42,47 failed --by anna --note "server 3 restarted, not in its log"
  gatehouse withdrawal settle 42 succeeded --by anna --note "in the log of server 3, 14:02" --yes`;

const runWithdrawal = inCommandContext(async () => {
  const { WithdrawalCommand, WithdrawalCommandModule } = await import('./withdrawal.command.js');
  return { module: WithdrawalCommandModule, handler: WithdrawalCommand };
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
    .option('--since <time>', `30m, 2h, 1d … or a time such as ${TIME_EXAMPLE}`, parseSince)
    .option('--until <time>', 'the same', parseSince)
    .option('--day <day>', `${DAYS}, in the timezone of the settings`, parseDay)
    .action(call('list'));
  addQuery(withdrawal, 'show', 'history with evidence, and the current balance')
    .argument('<id>', WHICH, parseWithdrawal)
    .action(call('show'));
  addAction(
    withdrawal,
    'settle',
    'records the outcome of an unknown withdrawal, or of several of one server after it has shown their evidence',
  )
    .argument('<ids>', `${WHICH}; several with commas: 41,42,47`, parseWithdrawals)
    .addArgument(
      new Argument('<outcome>', 'whether the amount was deducted').choices(['succeeded', 'failed']),
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
    .option('--date <day>', `${DAYS}; default: yesterday`, parseDay)
    .option('--server <id>', 'only this server', parseId)
    .option('--csv', 'print the totals of each server and their sum as CSV')
    .action(call('reconcile'));
}

function parseWithdrawal(text: string): number | string {
  return /^w/i.test(text) ? `W${text.slice(1).toLowerCase()}` : parseId(text);
}

function parseWithdrawals(text: string): Array<number | string> {
  return text.split(',').map((one) => parseWithdrawal(one.trim()));
}

function parseDay(text: string): string {
  if (text === 'today' || text === 'yesterday') return text;
  if (!isDay(text))
    throw new InvalidArgumentError('Must be today, yesterday or a day such as 2026-11-15.');
  return text;
}
