import type { Role } from '../../actions/operators/role.js';

export interface OperatorList {
  operators: OperatorListItem[];
  /** Whether the desk adds, resets and enables: with four eyes on, only the command does. */
  may_admit: boolean;
}

export interface OperatorListItem {
  name: string;
  role: Role;
  /** Invited: has not set a password and an app yet. */
  state: 'active' | 'invited' | 'disabled';
  created_at: Date;
}

/** For one sign-in; only its hash is stored. */
export interface OneTimePassword {
  name: string;
  password: string;
}
