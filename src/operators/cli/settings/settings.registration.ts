import type { Command } from 'commander';
import { addQuery, type QueryOptions } from '../arguments.js';
import { printReport } from '../command.js';

const NOTES = `
Exit code 1 if the service would refuse it.

Example
  gatehouse settings check settings.new.yaml && mv settings.new.yaml config/settings.yaml`;

export function registerSettings(program: Command): void {
  const settings = program
    .command('settings')
    .description('checks a settings file before it is put in place')
    .addHelpText('after', NOTES);
  addQuery(settings, 'check', 'lists every mistake, or the settings that differ from the defaults')
    .argument('<file>')
    .action(async (file: string, { json }: QueryOptions) => {
      const { checkSettings } = await import('./check-settings.js');
      printReport(checkSettings(file), json);
    });
}
