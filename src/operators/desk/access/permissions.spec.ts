import { describe, expect, it } from 'vitest';
import { type Role, ROLES } from '../../actions/operators/operator.entity.js';
import {
  actionsForRole,
  hasAuditedViews,
  MAY_EXPORT_WITHDRAWALS,
  MAY_MANAGE_OPERATORS,
  MAY_CHANGE_SERVERS,
  MAY_READ,
  MAY_READ_AUDIT,
  MAY_READ_CHAT,
  PLAYER_ACTION_ROLES,
  WITHDRAWAL_ACTION_ROLES,
} from './permissions.js';

const HELP = ['unlock', 'sign_out', 'end_session', 'secure', 'keep'];
const MODERATE = [...HELP, 'ban', 'unban', 'disable', 'enable', 'rename'];
const ALL = [
  ...MODERATE,
  'set_email',
  'set_password',
  'unlink',
  'reset_second_factor',
  'close',
  'export',
  'secure_email',
];
const SETTLE = ['settle', 'settle_cancel', 'settle_decline', 'reopen'];

describe('Desk permissions', () => {
  it.each<[Role, string[], string[]]>([
    ['support', HELP, []],
    ['moderator', MODERATE, []],
    ['treasury', [], SETTLE],
    ['admin', ALL, SETTLE],
  ])('grant the role %s exactly its actions', (role, onPlayers, onWithdrawals) => {
    expect(actionsForRole(PLAYER_ACTION_ROLES, role)).toEqual(onPlayers);
    expect(actionsForRole(WITHDRAWAL_ACTION_ROLES, role)).toEqual(onWithdrawals);
  });

  it('limit servers, operators and the audit log to admins, and chat to moderators and admins', () => {
    expect(MAY_CHANGE_SERVERS).toEqual(['admin']);
    expect(MAY_READ_AUDIT).toEqual(['admin']);
    expect(MAY_MANAGE_OPERATORS).toEqual(['admin']);
    expect(MAY_READ_CHAT).toEqual(['moderator', 'admin']);
    expect(MAY_EXPORT_WITHDRAWALS).toEqual(['treasury', 'admin']);
    expect(MAY_READ).toEqual(ROLES);
  });

  it('require auditing of page views for treasury and admins', () => {
    expect(ROLES.filter(hasAuditedViews)).toEqual(['treasury', 'admin']);
  });
});
