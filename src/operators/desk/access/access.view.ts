import type { DeskOperator } from '../../actions/operators/role.js';

export interface SignedInView {
  operator: DeskOperator;
  /** For the header `X-Desk-Token` of every request that changes something. */
  token: string;
  /** Seconds. */
  expires_in: number;
}

/** The first sign-in: nobody is signed in before setting a new password and an app. */
export interface EnrolmentView {
  enrolment: { totp_secret: string; totp_uri: string };
}

export interface SessionView {
  operator: DeskOperator;
  token: string;
  embedded: boolean;
  four_eyes_above: number;
}
