import type { Command } from './command/command.js';
import { runCommand } from './command/run-command.js';

/** Loaded one at a time: `gatehouse migrate` needs nothing of Nest. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  migrate: async () => (await import('./command/migrate.command.js')).migrateCommand,
  moveover: async () => (await import('./moveover/moveover.command.js')).moveoverCommand,
  withdrawal: async () =>
    (await import('./withdraw/command/withdrawal.command.js')).withdrawalCommand,
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (load) await runCommand(await load(), args);
else {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([each, loadIt]) => ({ each, ...(await loadIt()) })),
  );
  const lines = commands.map(({ each, summary }) => `  gatehouse ${each.padEnd(12)} ${summary}`);
  const text = ['gatehouse <command> [--help]', '', ...lines].join('\n');
  if (name === '' || name === 'help' || name === '--help') console.log(text);
  else console.error(`There is no command "${name}".\n\n${text}`);
  process.exitCode = name === '' ? 2 : name === 'help' || name === '--help' ? 0 : 2;
}
