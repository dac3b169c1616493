import { Injectable } from '@nestjs/common';
import {
  ACTION_OPTIONS,
  type Arguments,
  requireAttribution,
  parseArguments,
} from '../arguments.js';
import { type Report, UsageError } from '../command.js';
import { confirm } from '../confirm.js';
import { terminalTable } from '../terminal-table.js';
import { Environment } from '../../../platform/config/environment.js';
import { type NewSecrets, OperatorActions } from '../../actions/operators/operator-actions.js';
import type { Operator } from '../../actions/operators/operator.entity.js';
import { totpUri } from '../../actions/operators/totp.js';

export const OPTIONS = [...ACTION_OPTIONS, 'role'];

export const USAGE = `gatehouse operator list                            who may use the desk
gatehouse operator add <name> --role <role>        prints a password and a secret for an authenticator app, once
gatehouse operator set-role <name> --role <role>   ends the sessions
gatehouse operator reset <name>                    a new password and secret, ends the sessions; also after a lost phone
gatehouse operator disable <name>                  no sign-in, ends the sessions
gatehouse operator enable <name>                   and again; also ends a lock after failed tries
All but list need --by <your name> --note <why>, say what they will do, and ask unless --yes.

<role> is support, moderator, treasury or admin. --json prints JSON. Times are UTC.

Examples
  gatehouse operator add anna --role support --by max --note "joins the support"
  gatehouse operator disable anna --by max --note "left us" --yes`;

/** What people ask and do about operators on a terminal; nothing else can make one. */
@Injectable()
export class OperatorCommand {
  constructor(
    private readonly environment: Environment,
    private readonly actions: OperatorActions,
  ) {}

  async run(args: string[]): Promise<Report & { json: boolean }> {
    const given = parseArguments(args, OPTIONS);
    const [command, name, ...more] = given.positionals;
    if (command === undefined) throw new UsageError('say what to do');
    if (more.length > 0) throw new UsageError('not understood');
    const report =
      command === 'list' && !name ? this.list() : this.performAction(command, name, given);
    return { ...(await report), json: given.json };
  }

  private async list(): Promise<Report> {
    const operators = await this.actions.list();
    const text = terminalTable(
      ['name', 'role', 'state', 'since (UTC)'],
      operators.map((operator) => [
        operator.name,
        operator.role,
        stateOf(operator),
        operator.createdAt,
      ]),
    );
    const data = operators.map((operator) => ({
      name: operator.name,
      role: operator.role,
      state: stateOf(operator),
      created_at: operator.createdAt,
    }));
    return { text: operators.length === 0 ? 'There are none.' : text, data };
  }

  private async performAction(
    command: string,
    name: string | undefined,
    given: Arguments,
  ): Promise<Report> {
    const role = given.options.role?.trim();
    if (name === undefined) throw new UsageError('say who');
    const needsRole = command === 'add' || command === 'set-role';
    if (needsRole !== (role !== undefined))
      throw new UsageError(needsRole ? '--role is needed' : `${command} takes no --role`);
    const summary = SUMMARIES[command]?.(name, role!);
    if (summary === undefined) throw new UsageError(`there is no "operator ${command}"`);
    const who = requireAttribution(given);
    await confirm(`This ${summary}.`, given);
    const done = { text: `Done: ${summary}.`, data: { done: summary, operator: name } };
    if (command === 'add')
      return this.withSecrets(name, await this.actions.add(who, name, role!), done);
    if (command === 'reset')
      return this.withSecrets(name, await this.actions.reset(who, name), done);
    if (command === 'set-role') await this.actions.setRole(who, name, role!);
    else if (command === 'disable') await this.actions.disable(who, name);
    else await this.actions.enable(who, name);
    return done;
  }

  private withSecrets(name: string, { password, totpSecret }: NewSecrets, done: Report): Report {
    const uri = totpUri(name, totpSecret);
    const app = this.environment.embedded
      ? 'On the embedded database the desk asks for no code.'
      : `  Secret:    ${totpSecret}\n  As a URI:  ${uri}\nGive them over by a safe way, and put the secret into an authenticator app.`;
    return {
      text: `${done.text}\nShown this once:\n  Password:  ${password}\n${app}`,
      data: { ...(done.data as object), password, totp_secret: totpSecret, totp_uri: uri },
    };
  }
}

const SUMMARIES: Partial<Record<string, (name: string, role: string) => string>> = {
  add: (name, role) => `makes ${name} an operator of the desk, as ${role}`,
  'set-role': (name, role) => `makes ${name} ${role}, and ends the sessions of ${name}`,
  reset: (name) =>
    `gives ${name} a new password and a new secret for the app, and ends the sessions of ${name}`,
  disable: (name) => `disables ${name}: no sign-in and no session works`,
  enable: (name) => `lets ${name} sign in again`,
};

function stateOf({ disabledAt, lockedUntil }: Operator): string {
  if (disabledAt) return 'disabled';
  return lockedUntil && lockedUntil.getTime() > Date.now() ? 'locked' : 'good';
}
