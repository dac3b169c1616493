import { findKey, migration } from './dialect.js';

/** Finds the players who registered on a day and came through a promoter. */
export const IndexRegistrations = migration('IndexRegistrations1794900110001', {
  mysql: [
    {
      sql: 'CREATE INDEX player_created ON player (created_at, agent_id) ALGORITHM=INPLACE LOCK=NONE',
      done: findKey('player', 'player_created'),
    },
  ],
  embedded: ['CREATE INDEX "player_created" ON "player" ("created_at", "agent_id")'],
});
