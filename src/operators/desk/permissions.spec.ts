import { describe, expect, it } from 'vitest';
import { type Role, ROLES } from '../actions/operators/role.js';
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
  'secure_email',
];
const SETTLE = ['settle', 'settle_cancel', 'settle_decline', 'reopen'];

describe('Permissions of the desk', () => {
  it.each<[Role, string[], string[]]>([
    ['support', HELP, []],
    ['moderator', MODERATE, []],
    ['treasury', [], SETTLE],
    ['admin', ALL, SETTLE],
  ])('give the role %s exactly its actions', (role, onPlayers, onWithdrawals) => {
    expect(actionsForRole(PLAYER_ACTION_ROLES, role)).toEqual(onPlayers);
    expect(actionsForRole(WITHDRAWAL_ACTION_ROLES, role)).toEqual(onWithdrawals);
  });

  it('limit servers, operators and the audit log to admins, and the chat to moderators', () => {
    expect(MAY_CHANGE_SERVERS).toEqual(['admin']);
    expect(MAY_READ_AUDIT).toEqual(['admin']);
    expect(MAY_MANAGE_OPERATORS).toEqual(['admin']);
    expect(MAY_READ_CHAT).toEqual(['moderator', 'admin']);
    expect(MAY_EXPORT_WITHDRAWALS).toEqual(['treasury', 'admin']);
    expect(MAY_READ).toEqual(ROLES);
  });

  it('audit what the roles that handle money look at', () => {
    expect(ROLES.filter(hasAuditedViews)).toEqual(['treasury', 'admin']);
  });
});
