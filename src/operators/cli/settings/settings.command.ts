import { parseArguments } from '../arguments.js';
import { type Command, printReport, UsageError } from '../command.js';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import { readSettings } from '../../../platform/config/settings.js';
import { DEFAULT_SETTINGS } from '../../../platform/config/settings.schema.js';

export const settingsCommand: Command = {
  summary: 'checks a settings file before it is put in place',
  usage: `gatehouse settings check <file>      says every mistake, or what the file sets otherwise than the defaults
Exit code 1 if the service would refuse it. --json prints JSON.

Example
  gatehouse settings check settings.new.yaml && mv settings.new.yaml config/settings.yaml`,
  subcommands: ['check'],
  // oxlint-disable-next-line typescript/require-await -- a command gives a promise
  async run(args) {
    const { positionals: words, json } = parseArguments(args, []);
    const [command, file, ...more] = words;
    if (command !== 'check' || file === undefined || more.length > 0)
      throw new UsageError('not understood');
    try {
      const { values } = readSettings(file);
      const changes = diffFromDefaults(DEFAULT_SETTINGS, values);
      const text = [
        'It is good.',
        ...changes.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`),
      ];
      return printReport({ text: text.join('\n'), data: { problems: [], changes } }, json);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const { problems } = error;
      const text = `It would be refused:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`;
      return printReport({ text, data: { problems }, ok: false }, json);
    }
  },
};

function diffFromDefaults(
  defaults: object,
  values: object,
  prefix = '',
): Array<{ key: string; value: unknown }> {
  return Object.entries(values).flatMap(([name, value]) => {
    const defaultValue = (defaults as Record<string, unknown>)[name];
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isGroup && typeof defaultValue === 'object' && defaultValue !== null)
      return diffFromDefaults(defaultValue, value as object, `${prefix}${name}.`);
    return JSON.stringify(value) === JSON.stringify(defaultValue)
      ? []
      : [{ key: prefix + name, value }];
  });
}
