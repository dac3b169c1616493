import type { Command } from './command/command.js';
import { bashCompletion } from './command/completion.js';
import { runProgram } from './command/run-program.js';

/** Loaded one at a time: `gatehouse migrate` needs nothing of Nest. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  player: async () => (await import('./accounts/command/player.command.js')).playerCommand,
  withdrawal: async () =>
    (await import('./withdraw/command/withdrawal.command.js')).withdrawalCommand,
  zone: async () => (await import('./zones/command/zone.command.js')).zoneCommand,
  operator: async () => (await import('./desk/command/operator.command.js')).operatorCommand,
  events: async () => (await import('./journal/command/events.command.js')).eventsCommand,
  check: async () => (await import('./operations/command/check.command.js')).checkCommand,
  status: async () => (await import('./operations/command/status.command.js')).statusCommand,
  settings: async () => (await import('./operations/command/settings.command.js')).settingsCommand,
  moveover: async () => (await import('./moveover/moveover.command.js')).moveoverCommand,
  migrate: async () => (await import('./command/migrate.command.js')).migrateCommand,
};

const loadAll = async () =>
  new Map(
    await Promise.all(
      Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const),
    ),
  );

const [first = '', ...rest] = process.argv.slice(2);
// `gatehouse help player` is `gatehouse player --help`.
const [name, ...args]: [string, ...string[]] =
  first === 'help' && rest[0] ? [rest[0], '--help'] : [first, ...rest];
const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (load) await runProgram(await load(), args);
else if (name === 'completion' && args[0] === 'bash') console.log(bashCompletion(await loadAll()));
else {
  const lines = [...(await loadAll())].map(
    ([each, { summary }]) => `  gatehouse ${each.padEnd(12)} ${summary}`,
  );
  const completion = `  gatehouse completion bash   for your shell: source <(gatehouse completion bash)`;
  const text = ['gatehouse <command> [--help]', '', ...lines, completion].join('\n');
  const asked = name === 'help' || name === '--help';
  if (name === '' || asked) console.log(text);
  else console.error(`${text}\n\nThere is no command "${name}".`);
  process.exitCode = asked ? 0 : 2;
}
