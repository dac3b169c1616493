import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { ActionRefused } from '../../actions/action-refused.js';
import { OperatorActions } from '../../actions/operators/operator-actions.js';
import { verifyPassword } from '../../actions/operators/operator-password.js';
import { Operator } from '../../actions/operators/operator.entity.js';

const NAME = 'admin';
const ATTRIBUTION = { by: 'gatehouse', note: 'the first run made it' };

/** The embedded database has an operator from the start, whose password is printed at each start. */
@Injectable()
export class FirstOperator {
  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly actions: OperatorActions,
  ) {}

  /** How to sign in; undefined once the operators have their own passwords. */
  async ensureSignIn(): Promise<{ name: string; password: string } | undefined> {
    if (!this.environment.embedded) return undefined;
    const password = this.password();
    if ((await this.dataSource.manager.count(Operator)) === 0)
      await this.actions.add(ATTRIBUTION, NAME, 'admin', { password }).catch((error: unknown) => {
        // Another desk created it first.
        if (!(error instanceof ActionRefused)) throw error;
      });
    const operator = await this.dataSource.manager.findOne(Operator, {
      select: { password: true, disabledAt: true },
      where: { name: NAME },
    });
    const works = !operator?.disabledAt && (await verifyPassword(password, operator?.password));
    return works ? { name: NAME, password } : undefined;
  }

  /** Derived from the secrets that embedded mode generated, so that it stays the same. */
  private password(): string {
    const mac = createHmac('sha256', this.environment.JWT_SECRET).update('desk admin');
    return mac.digest('base64url').slice(0, 20);
  }
}
