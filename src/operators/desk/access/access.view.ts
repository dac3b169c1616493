import type { DeskOperator } from '../../actions/operators/role.js';

export interface SignedInView {
  operator: DeskOperator;
  /** For the header `X-Desk-Token` of everything that changes something. */
  token: string;
  /** Seconds. */
  expires_in: number;
}

export interface SessionView {
  operator: DeskOperator;
  token: string;
  embedded: boolean;
  four_eyes_above: number;
}
