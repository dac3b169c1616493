import type { Command } from './operators/cli/command.js';
import { bashCompletion } from './operators/cli/completion.js';
import { runProgram } from './operators/cli/run-program.js';

/** Loaded one at a time: `gatehouse migrate` needs nothing of Nest. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  player: async () => (await import('./operators/cli/player/player.registration.js')).playerCommand,
  withdrawal: async () =>
    (await import('./operators/cli/withdrawal/withdrawal.registration.js')).withdrawalCommand,
  server: async () => (await import('./operators/cli/server/server.registration.js')).serverCommand,
  operator: async () =>
    (await import('./operators/cli/operator/operator.registration.js')).operatorCommand,
  events: async () => (await import('./operators/cli/events/events.registration.js')).eventsCommand,
  check: async () => (await import('./operators/cli/check/check.registration.js')).checkCommand,
  status: async () => (await import('./operators/cli/status/status.command.js')).statusCommand,
  settings: async () =>
    (await import('./operators/cli/settings/settings.command.js')).settingsCommand,
  import: async () => (await import('./operators/import/import.command.js')).importCommand,
  migrate: async () => (await import('./operators/cli/migrate.command.js')).migrateCommand,
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
