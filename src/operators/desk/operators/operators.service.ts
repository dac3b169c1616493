import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { runStatement } from '../../../platform/database/statement.js';
import { ActionRefused } from '../../actions/action-refused.js';
import { FourEyes } from '../../actions/four-eyes/four-eyes.js';
import { OperatorActions } from '../../actions/operators/operator-actions.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { RoleNotAllowed } from '../access/access.errors.js';
import type { OneTimePassword, OperatorList } from '../responses/operators.js';
import type { AddOperatorDto } from './operators.dto.js';

// Locks the row: of two admins who disable each other at once, one remains.
const STILL_ADMIN = `UPDATE operator SET role = role WHERE name = ? AND role = 'admin' AND disabled_at IS NULL`;

/** Operators, for admins. Nobody acts on their own account here, so that an admin always remains. */
@Injectable()
export class OperatorsService {
  constructor(
    private readonly environment: Environment,
    private readonly actions: OperatorActions,
    private readonly fourEyes: FourEyes,
  ) {}

  async list(): Promise<OperatorList> {
    const operators = await this.actions.list();
    return {
      operators: operators.map(({ name, role, disabledAt, totpLastStep, createdAt }) => ({
        name,
        role,
        state: disabledAt
          ? 'disabled'
          : totpLastStep === null && !this.environment.embedded
            ? 'invited'
            : 'active',
        created_at: createdAt,
      })),
      may_admit: !this.fourEyes.isOn,
    };
  }

  async add({ name: by }: DeskOperator, dto: AddOperatorDto): Promise<OneTimePassword> {
    this.refuseWithFourEyes();
    const { name, role, note } = dto;
    const who = { by, note };
    return { name, password: await this.actions.add(who, name, role, { check: isAdminStill(by) }) };
  }

  async reset({ name: by }: DeskOperator, name: string, note: string): Promise<OneTimePassword> {
    this.refuseWithFourEyes();
    refuseOwn(by, name);
    return { name, password: await this.actions.reset({ by, note }, name, isAdminStill(by)) };
  }

  async disable({ name: by }: DeskOperator, name: string, note: string): Promise<OperatorList> {
    refuseOwn(by, name);
    await this.actions.disable({ by, note }, name, isAdminStill(by));
    return this.list();
  }

  async enable({ name: by }: DeskOperator, name: string, note: string): Promise<OperatorList> {
    this.refuseWithFourEyes();
    refuseOwn(by, name);
    await this.actions.enable({ by, note }, name, isAdminStill(by));
    return this.list();
  }

  /** An admin could sign in as the new operator, or unlock guessing at an old one, and approve their own proposal. */
  private refuseWithFourEyes(): void {
    if (this.fourEyes.isOn)
      throw new ActionRefused(
        'with four eyes on, only the command gatehouse operator adds, resets and enables operators',
      );
  }
}

const isAdminStill = (by: string) => async (manager: EntityManager) => {
  if ((await runStatement(manager, STILL_ADMIN, [by])).affected !== 1) throw new RoleNotAllowed();
};

function refuseOwn(by: string, name: string): void {
  if (by === name) throw new ActionRefused('this is your own account: ask another admin');
}
