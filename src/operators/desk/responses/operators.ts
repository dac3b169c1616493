import type { Role } from '../../actions/operators/role.js';

export interface OperatorList {
  operators: OperatorListItem[];
  /** False with four eyes: only the command does. */
  may_give_passwords: boolean;
}

export interface OperatorListItem {
  name: string;
  role: Role;
  /** Invited: has not set a password and an app yet. */
  state: 'active' | 'invited' | 'disabled';
  created_at: Date;
}

/** For one sign-in; it is not stored. */
export interface OneTimePassword {
  name: string;
  password: string;
}
