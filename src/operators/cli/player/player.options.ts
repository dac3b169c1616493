import { type Command, Option } from 'commander';
import {
  type ActionOptions,
  addAction,
  addList,
  addQuery,
  callMethod,
  inCommandContext,
  parseId,
  parseLimit,
  parseSince,
  parseText,
  parseUntil,
} from '../command-options.js';
import { BAN_SCOPES } from '../../../platform/auth/ban.js';
import { TIMELINE_KINDS } from '../../actions/players/timeline-cursor.js';
import type { PlayerAction } from './player-action-commands.js';

const NOTES = `
<who> is an account name, a mailbox, a player's id or a connect_id; id:42, name:42, mail:…, connect:42 or game:… if several players could match.
Times are UTC.

Examples
  gatehouse player show dragon_slayer
  gatehouse player logins dragon@example.com --since 1d
  gatehouse player ban dragon_slayer --until 3d --reason "botting" --by anna --note "ticket 811"
  gatehouse player disable 42 --by anna --note "chargeback, ticket 811"
  gatehouse player secure dragon_slayer --email owner@example.com --by anna --note "ticket 812" --yes`;

const runPlayer = inCommandContext(async () => {
  const { PlayerCommand, PlayerCommandModule } = await import('./player.command.js');
  const { RedisConnection } = await import('../../../platform/counters/redis-connection.js');
  return {
    module: PlayerCommandModule,
    handler: PlayerCommand,
    prepare: (app) => app.get(RedisConnection).waitForFirstConnection(),
  };
});

export function registerPlayer(program: Command, run = runPlayer): void {
  const call = callMethod(run);
  const player = program
    .command('player')
    .description('shows players and their sign-ins; bans, unlocks, secures them and more')
    .addHelpText('after', NOTES);
  addQuery(
    player,
    'show',
    'why a player cannot sign in; locks, links, second factor, last sign-ins, withdrawals, operator actions',
  )
    .argument('<who>')
    .action(call('show'));
  addList(player, 'logins', 'sign-ins and failed tries')
    .argument('<who>')
    .option('--since <time>', '30m, 2h, 1d … or a time', parseSince)
    .option('--outcome <outcome>', 'ok, bad_credentials …')
    .action(call('logins'));
  addQuery(player, 'timeline', 'all events with addresses, as the desk shows them')
    .argument('<who>')
    .option('--kinds <kinds>', TIMELINE_KINDS.join())
    .option('--limit <number>', 'how many', parseLimit, 50)
    .option('--before <time>', 'only older ones, such as before 2026-11-15T02:14:00Z')
    .action(call('timeline'));
  addList(player, 'withdrawals', 'newest first').argument('<who>').action(call('withdrawals'));
  addQuery(player, 'mails', "what became of each mail, with the mail server's reply")
    .argument('<who>')
    .option('--limit <number>', 'how many', parseLimit, 50)
    .action(call('mails'));
  addQuery(player, 'sessions', 'where the player is signed in')
    .argument('<who>')
    .action(call('sessions'));
  addList(player, 'bans', 'bans of a player with operator and reason; without <who>, all in force')
    .argument('[who]')
    .action(call('bans'));

  addQuery(player, 'closing', 'accounts that are being closed, the next one first')
    .option('--limit <number>', 'how many', parseLimit, 50)
    .option('--save <file>', 'before a restore: saves all that are closing or closed to a new file')
    .action(call('closing'));
  addAction(player, 'close', 'closes an account for its owner in account.close_days days, for good')
    .argument('[who]')
    .option(
      '--again-from <file>',
      'after a restore: the file of "player closing --save", whose accounts close again',
    )
    .action(call('close'));

  const action = (name: PlayerAction, description: string) =>
    addAction(player, name, description)
      .argument('<who>')
      .action(
        run((command, who: string, options: ActionOptions) => command.act(name, who, options)),
      );
  action(
    'ban',
    'bans a player from signing in, or only from withdrawing, until a time; the player sees the reason',
  )
    .requiredOption('--until <time>', '12h, 3d … from now, a time, or forever', parseUntil)
    .requiredOption('--reason <text>', 'the reason that the player sees', parseText)
    .addOption(new Option('--scope <scope>').choices(BAN_SCOPES).default('all'));
  action('unban', 'lifts every ban in force, or one of them; the player is told').option(
    '--ban <id>',
    'only this one; gatehouse player bans <who> prints the ids',
    parseId,
  );
  action('keep', 'stops the closing of an account');
  action('export', 'writes the data of a player to a file').requiredOption(
    '--file <path>',
    'a new file, in JSON',
    parseText,
  );
  action('disable', 'blocks sign-in and all tokens');
  action('enable', 'lets a disabled player in again');
  action('unlock', 'ends locks after failed logins').option(
    '--address <address>',
    'also ends the lock of this address, for all accounts',
  );
  action('reset-second-factor', 'for a lost phone: removes app, passkeys and recovery codes');
  action('sign-out', 'ends every session and JWT');
  action('set-email', 'changes the mailbox').requiredOption('--email <mailbox>', '', parseText);
  action('set-password', 'asks for the password, or reads it from standard input');
  action('unlink', 'removes a link').requiredOption(
    '--provider <name>',
    'such as forum',
    parseText,
  );
  action('rename', 'gives a player a new name; the roles in the game stay')
    .requiredOption('--to <name>', 'the new name', parseText)
    .option(
      '--game-account <name>',
      "the game's spelling of the old name, if the servers cannot be read",
    );
  action('secure', 'for a stolen account: ends sessions, tokens, password and links').option(
    '--email <mailbox>',
    'the mailbox through which the owner sets a new password',
  );
}
