import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runStatement } from '../../../platform/database/sql.js';
import { ActionRefused } from '../../actions/action-refused.js';
import { FourEyes } from '../../actions/four-eyes/four-eyes.js';
import { OperatorActions } from '../../actions/operators/operator-actions.js';
import type { DeskOperator, Role } from '../../actions/operators/operator.entity.js';
import { RoleNotAllowed } from '../access/access.errors.js';

// The statement locks the row, so that one admin remains when two admins disable each other concurrently.
const STILL_ADMIN = `UPDATE operator SET role = role WHERE name = ? AND role = 'admin' AND disabled_at IS NULL`;

/** Lets admins manage other operators. Admins cannot change their own account, so that one admin always remains. */
@Injectable()
export class OperatorsService {
  constructor(
    private readonly actions: OperatorActions,
    private readonly fourEyes: FourEyes,
  ) {}

  async list() {
    return {
      operators: await this.actions.list(),
      // Under four-eyes approval, only the command line adds, resets and enables operators.
      may_admit: !this.fourEyes.isOn,
    };
  }

  /** Returns a password for the first sign-in. Only the password's hash is stored. */
  async add(
    { name: by }: DeskOperator,
    { name, role, note }: { name: string; role: Role; note: string },
  ) {
    this.refuseWithFourEyes();
    const check = isAdminStill(by);
    return { name, password: await this.actions.add({ by, note }, name, role, { check }) };
  }

  async reset({ name: by }: DeskOperator, name: string, note: string) {
    this.refuseWithFourEyes();
    refuseOwn(by, name);
    return { name, password: await this.actions.reset({ by, note }, name, isAdminStill(by)) };
  }

  async disable({ name: by }: DeskOperator, name: string, note: string) {
    refuseOwn(by, name);
    await this.actions.disable({ by, note }, name, isAdminStill(by));
    return this.list();
  }

  async enable({ name: by }: DeskOperator, name: string, note: string) {
    this.refuseWithFourEyes();
    refuseOwn(by, name);
    await this.actions.enable({ by, note }, name, isAdminStill(by));
    return this.list();
  }

  /** Prevents an admin from approving their own proposal through a new, reset or unlocked operator. */
  private refuseWithFourEyes(): void {
    if (this.fourEyes.isOn)
      throw new ActionRefused(
        'under four-eyes approval, only the command gatehouse operator adds, resets and enables operators',
      );
  }
}

const isAdminStill = (by: string) => async (manager: EntityManager) => {
  if ((await runStatement(manager, STILL_ADMIN, [by])).affected !== 1) throw new RoleNotAllowed();
};

function refuseOwn(by: string, name: string): void {
  if (by === name) throw new ActionRefused('this is your own account: ask another admin');
}
