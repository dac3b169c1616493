import type { Command } from 'commander';
import {
  addAction,
  addQuery,
  callMethod,
  inCommandContext,
  printReport,
  type QueryOptions,
} from '../command-options.js';

const NOTES = `
Both commands exit with 1 if the service would refuse the file.
An edit of the settings file itself takes effect too, and is recorded as a direct edit.

Examples
  gatehouse settings check settings.new.yaml
  gatehouse settings apply settings.new.yaml --by anna --note "fewer withdrawals tonight"`;

const runSettings = inCommandContext(async () => {
  const { SettingsCommand, SettingsCommandModule } = await import('./settings.command.js');
  return { module: SettingsCommandModule, handler: SettingsCommand };
});

export function registerSettings(program: Command, run = runSettings): void {
  const settings = program
    .command('settings')
    .description('checks a settings file, and puts it in place')
    .addHelpText('after', NOTES);
  addQuery(settings, 'check', 'lists every mistake, or the settings that differ from the defaults')
    .argument('<file>')
    .action(async (file: string, { json }: QueryOptions) => {
      const { checkSettings } = await import('./settings.command.js');
      printReport(checkSettings(file), json);
    });
  addAction(settings, 'apply', 'replaces the settings file with this one, and records who did it')
    .argument('<file>')
    .action(callMethod(run)('apply'));
}
