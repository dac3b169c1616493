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

/** Creates the first operator in the embedded database. The desk prints that operator's password at every startup. */
@Injectable()
export class FirstOperator {
  constructor(
    private readonly environment: Environment,
    private readonly dataSource: DataSource,
    private readonly actions: OperatorActions,
  ) {}

  /** Returns the first operator's credentials, or undefined once that operator has another password or is disabled. */
  async ensureSignIn(): Promise<{ name: string; password: string } | undefined> {
    if (!this.environment.embedded) return undefined;
    const password = this.password();
    if ((await this.dataSource.manager.count(Operator)) === 0)
      await this.actions.add(ATTRIBUTION, NAME, 'admin', { password }).catch((error: unknown) => {
        // Another desk process may have created the operator first.
        if (!(error instanceof ActionRefused)) throw error;
      });
    const operator = await this.dataSource.manager.findOne(Operator, {
      select: { password: true, disabledAt: true },
      where: { name: NAME },
    });
    if (!operator || operator.disabledAt) return undefined;
    return (await verifyPassword(password, operator.password))
      ? { name: NAME, password }
      : undefined;
  }

  /** Derives the password from a generated secret, so that the password stays the same. */
  private password(): string {
    const mac = createHmac('sha256', this.environment.JWT_SECRET).update('desk admin');
    return mac.digest('base64url').slice(0, 20);
  }
}
