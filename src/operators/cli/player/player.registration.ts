import type { Command } from 'commander';
import {
  type ActionOptions,
  addAction,
  addList,
  addQuery,
  type ListOptions,
  parseSince,
  parseText,
} from '../arguments.js';
import type { Runner } from '../command.js';
import { inCommandContext } from '../in-command-context.js';
import type { PlayerAction } from './player-action-commands.js';
import type { LoginListOptions, PlayerCommand } from './player.command.js';

const NOTES = `
<who> is an account name, a mailbox, a player's id or a connect_id; id:42, name:42, mail:… or connect:42 where it could be several.
Times are UTC.

Examples
  gatehouse player show dragon_slayer
  gatehouse player logins dragon@example.com --since 1d
  gatehouse player disable 42 --by anna --note "chargeback, ticket 811"
  gatehouse player secure dragon_slayer --email owner@example.com --by anna --note "ticket 812" --yes`;

const runPlayer: Runner<PlayerCommand> = inCommandContext(async () => {
  const { PlayerCommandModule } = await import('./player-command.module.js');
  const { PlayerCommand: handler } = await import('./player.command.js');
  const { RedisConnection } = await import('../../../platform/counters/redis-connection.js');
  return {
    module: PlayerCommandModule,
    handler,
    prepare: (app) => app.get(RedisConnection).waitForFirstConnection(),
  };
});

export function registerPlayer(program: Command, run = runPlayer): void {
  const player = program
    .command('player')
    .description('shows players and their sign-ins; disables, unlocks, secures them and more')
    .addHelpText('after', NOTES);
  addQuery(player, 'show', 'state, locks, links, last sign-ins, withdrawals, acts')
    .argument('<who>')
    .action(run((command, who: string) => command.show(who)));
  addList(player, 'logins', 'sign-ins and failed tries')
    .argument('<who>')
    .option('--since <time>', '30m, 2h, 1d … or a time in UTC', parseSince)
    .option('--outcome <outcome>', 'ok, bad_credentials …')
    .action(run((command, who: string, options: LoginListOptions) => command.logins(who, options)));
  addList(player, 'withdrawals', 'newest first')
    .argument('<who>')
    .action(run((command, who: string, options: ListOptions) => command.withdrawals(who, options)));
  addQuery(player, 'sessions', 'where the player is signed in')
    .argument('<who>')
    .action(run((command, who: string) => command.sessions(who)));

  const action = (name: PlayerAction, description: string) =>
    addAction(player, name, description)
      .argument('<who>')
      .action(
        run((command, who: string, options: ActionOptions) => command.act(name, who, options)),
      );
  action('disable', 'blocks sign-in and all tokens');
  action('enable', 'lets a disabled player in again');
  action('unlock', 'ends locks after failed logins').option(
    '--address <address>',
    'also ends the lock of this address, for all accounts',
  );
  action('sign-out', 'ends every session and JWT');
  action('set-email', 'changes the mailbox').requiredOption('--email <mailbox>', '', parseText);
  action('set-password', 'asks for the password, or reads it from standard input');
  action('unlink', 'removes a link').requiredOption(
    '--provider <name>',
    'such as forum',
    parseText,
  );
  action('rename', 'keeps the roles in the game, under the name as its tables write it')
    .requiredOption('--to <name>', 'the new name', parseText)
    .option('--game-account <name>', 'as the game writes it, where the servers cannot be read');
  action('secure', 'for a stolen account: ends sessions, tokens, password and links').option(
    '--email <mailbox>',
    'through which the owner sets a new password',
  );
}
