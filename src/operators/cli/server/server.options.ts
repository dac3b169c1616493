import { type Command, Option } from 'commander';
import {
  addAction,
  addQuery,
  callMethod,
  inCommandContext,
  parseId,
  parseTime,
  parseTimeOr,
  TIME_EXAMPLE,
} from '../command-options.js';

const NOTES = `
"none" sets a column to its default. Every instance applies an edit within 2 seconds.
Times are UTC unless they end with an offset such as +08:00.
gatehouse check --server <id> checks its database and GM interface.

Examples
  gatehouse server list
  gatehouse server maintenance 12 --by anna --note "new hardware"
  gatehouse server schedule 12 --at "2026-12-01 20:00 +08:00" --by anna --note "launch" --yes
  gatehouse server add --name "Realm 13" --address s13.example.org --status scheduled --open-at "2026-12-01 20:00 +08:00" --by anna --note "launch"`;

const runServer = inCommandContext(async () => {
  const { ServerCommand, ServerCommandModule } = await import('./server.command.js');
  return { module: ServerCommandModule, handler: ServerCommand };
});

export function registerServer(program: Command, run = runServer): void {
  const call = callMethod(run);
  const server = program
    .command('server')
    .description('lists, shows, adds, changes, opens, closes and merges servers')
    .addHelpText('after', NOTES);
  const addServerAction = (name: string, description: string) =>
    addAction(server, name, description).argument('<id>', 'id of the server', parseId);
  addQuery(server, 'list', 'with open withdrawals and failures of the last hour').action(
    call('list'),
  );
  addQuery(server, 'show', 'its row, open withdrawals, and who changed it')
    .argument('<id>', 'id of the server', parseId)
    .action(call('show'));
  addFields(
    addAction(
      server,
      'add',
      'adds a server in maintenance: listed, but players cannot use it until you open it; --status scheduled hides it',
    ),
  )
    .option('--id <id>', 'default: the next one')
    .action(call('add'));
  addFields(addServerAction('set', 'changes columns of a server')).action(call('set'));
  addServerAction(
    'open',
    'opens a server; --at delays only entering, not registration or withdrawals',
  )
    .addOption(
      new Option('--as <status>', 'its status')
        .choices(['new', 'normal', 'busy', 'full'])
        .default('normal'),
    )
    .option('--at <time>', `when players may enter: ${TIME_EXAMPLE}, or now`, parseTimeOr('now'))
    .action(call('open'));
  addServerAction('schedule', 'hides a server until a time, then opens it automatically as new')
    .requiredOption('--at <time>', `such as ${TIME_EXAMPLE}`, (text) => parseTime(text))
    .action(call('schedule'));
  addServerAction('maintenance', 'nobody enters, registers or withdraws there').action(
    call('maintenance'),
  );
  addServerAction('close', 'hides a server from players; the row stays').action(call('close'));
  addServerAction(
    'merge',
    'merges a server into another; --into none undoes it; both must be in maintenance',
  )
    .requiredOption(
      '--into <id>',
      'id of the server that has its roles now; none: undo a merge',
      (text) => (text === 'none' ? text : parseId(text)),
    )
    .action(call('merge'));
  addServerAction('cancel', 'removes a change that waits for a second person').action(
    call('cancel'),
  );
}

/** Adds the options for a server's columns. Most are passed on as text, because the desk's DTO validates them. */
function addFields(command: Command): Command {
  return command
    .option('--name <text>', 'as players see it')
    .option('--address <host>', 'where clients connect')
    .option('--port <number>')
    .option('--status <status>')
    .option('--sort <number>', 'place in the list; a new server comes last')
    .option('--open-at <time>', `such as ${TIME_EXAMPLE}`, parseTimeOr('none'))
    .option('--gm-address <host>')
    .option('--gm-port <number>')
    .option('--gm-path <path>')
    .option('--db-host <host>')
    .option('--db-port <number>')
    .option('--group <text>', 'under which it is listed')
    .addOption(new Option('--recommended <answer>').choices(['yes', 'no']));
}
