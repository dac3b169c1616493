import { findKey, migration } from './dialect.js';

/** Lets operators search by the name of a role. */
export const IndexRoleNames = migration('IndexRoleNames1794900040002', {
  mysql: [
    {
      sql: 'ALTER TABLE withdraw ADD KEY withdraw_role_name (role_name), ALGORITHM=INPLACE, LOCK=NONE',
      done: findKey('withdraw', 'withdraw_role_name'),
    },
  ],
  embedded: 'CREATE INDEX "withdraw_role_name" ON "withdraw" ("role_name")',
});
