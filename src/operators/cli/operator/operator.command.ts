import { Injectable, Module } from '@nestjs/common';
import type { ActionOptions } from '../command-options.js';
import type { Report } from '../command.js';
import { confirm, listTable } from '../terminal.js';
import { Environment } from '../../../platform/config/environment.js';
import { OperatorActions } from '../../actions/operators/operator-actions.js';
import { Operator, OperatorSession } from '../../actions/operators/operator.entity.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OperatorSessions } from '../../actions/operators/operator-sessions.js';

@Injectable()
export class OperatorCommand {
  constructor(
    private readonly environment: Environment,
    private readonly actions: OperatorActions,
  ) {}

  async list(): Promise<Report> {
    const data = await this.actions.list();
    const text = listTable(data, {
      name: ({ name }) => name,
      role: ({ role }) => role,
      state: ({ state }) => (state === 'invited' ? 'never signed in' : state),
      'since (UTC)': ({ created_at }) => created_at,
    });
    return { text, data };
  }

  async add(name: string, given: ActionOptions & { role: string }): Promise<Report> {
    const { role } = given;
    const what = `makes ${name} an operator of the desk, as ${role}`;
    const done = await this.announce(name, what, given);
    return this.withPassword(await this.actions.add(given, name, role), done);
  }

  async setRole(name: string, given: ActionOptions & { role: string }): Promise<Report> {
    const { role } = given;
    const what = `makes ${name} ${role}, and ends the sessions of ${name}`;
    const done = await this.announce(name, what, given);
    await this.actions.setRole(given, name, role);
    return done;
  }

  async reset(name: string, given: ActionOptions): Promise<Report> {
    const what = `gives ${name} a temporary password, removes the authenticator app and ends all sessions of ${name}`;
    const done = await this.announce(name, what, given);
    return this.withPassword(await this.actions.reset(given, name), done);
  }

  async disable(name: string, given: ActionOptions): Promise<Report> {
    const what = `disables ${name}: no sign-in and no session works`;
    const done = await this.announce(name, what, given);
    await this.actions.disable(given, name);
    return done;
  }

  async enable(name: string, given: ActionOptions): Promise<Report> {
    const done = await this.announce(name, `lets ${name} sign in again`, given);
    await this.actions.enable(given, name);
    return done;
  }

  /** Asks for confirmation, and returns the report of the completed action. */
  private async announce(name: string, what: string, given: ActionOptions): Promise<Report> {
    await confirm(`This ${what}.`, given);
    return { text: `Done: ${what}.`, data: { done: what, operator: name } };
  }

  private withPassword(password: string, done: Report): Report {
    const next = this.environment.embedded
      ? 'On the embedded database the desk asks for no code.'
      : 'At the first sign-in, the desk asks for a new password and sets up an authenticator app.';
    return {
      text: `${done.text}\nShown this once:\n  Password:  ${password}\n${next}`,
      data: { ...(done.data as object), password },
    };
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Operator, OperatorSession])],
  providers: [OperatorActions, OperatorSessions, OperatorCommand],
})
export class OperatorCommandModule {}
