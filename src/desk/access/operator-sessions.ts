import { Injectable } from '@nestjs/common';
import type { DeskRequest, DeskSession } from './current-operator.decorator.js';

/** The sign-ins of operators. */
@Injectable()
export class OperatorSessions {
  // TODO of this branch: the tables. Until then nobody is signed in.
  async of(_request: DeskRequest): Promise<DeskSession | undefined> {
    return undefined;
  }

  async stands(_id: string): Promise<boolean> {
    return false;
  }
}
