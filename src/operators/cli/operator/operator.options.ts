import type { Command } from 'commander';
import {
  addAction,
  addQuery,
  callMethod,
  inCommandContext,
  parseText,
} from '../command-options.js';

const ROLE = 'support, moderator, treasury or admin';
const NOTES = `
Examples
  gatehouse operator add anna --role support --by max --note "joins the support"
  gatehouse operator disable anna --by max --note "left us" --yes`;

const runOperator = inCommandContext(async () => {
  const { OperatorCommand, OperatorCommandModule } = await import('./operator.command.js');
  return { module: OperatorCommandModule, handler: OperatorCommand };
});

export function registerOperator(program: Command, run = runOperator): void {
  const call = callMethod(run);
  const operator = program
    .command('operator')
    .description('lists, adds, disables and resets the operators of the desk')
    .addHelpText('after', NOTES);
  const action = (name: string, description: string) =>
    addAction(operator, name, description).argument('<name>');
  addQuery(operator, 'list', 'the operators of the desk').action(call('list'));
  action('add', 'prints a password for the first sign-in, once')
    .requiredOption('--role <role>', ROLE, parseText)
    .action(call('add'));
  action('set-role', 'changes the role and ends all sessions')
    .requiredOption('--role <role>', ROLE, parseText)
    .action(call('setRole'));
  action(
    'reset',
    'prints a temporary password, removes the app and ends all sessions; also after a lost phone',
  ).action(call('reset'));
  action('disable', 'blocks sign-in and ends all sessions').action(call('disable'));
  action('enable', 'lets a disabled operator sign in again').action(call('enable'));
}
