import { findKey, migration } from './dialect.js';

/**
 * Lets the counts for promoters (who registered on a day, and what these players withdrew) read only indexes. The id
 * keeps a player's list in the order of the index.
 */
export const IndexRegistrations = migration('IndexRegistrations1794900110001', {
  mysql: [
    {
      sql: 'CREATE INDEX player_created ON player (created_at, agent_id, entered_at) ALGORITHM=INPLACE LOCK=NONE',
      done: findKey('player', 'player_created'),
    },
    {
      sql: `ALTER TABLE withdraw DROP KEY withdraw_player,
        ADD KEY withdraw_player (player_id, created_at, id, status, amount), ALGORITHM=INPLACE, LOCK=NONE`,
      done: `${findKey('withdraw', 'withdraw_player')} OFFSET 2`,
      survives: 'the new key begins with the columns of the old one',
    },
  ],
  embedded: [
    'CREATE INDEX "player_created" ON "player" ("created_at", "agent_id", "entered_at")',
    'DROP INDEX "withdraw_player"',
    'CREATE INDEX "withdraw_player" ON "withdraw" ("player_id", "created_at", "id", "status", "amount")',
  ],
});
