// Players and zones in bulk, made by the database itself. What they are like is known here and nowhere else.
import { createConnection } from 'mysql2/promise';
import { SECRETS } from './stage.mjs';

export const ZONES = 100;
const ROWS_A_STATEMENT = 250_000;

export const accountOf = (id) => `player${String(id).padStart(8, '0')}`;
export const passwordOf = (id) => `password ${id}`;

const ZONE = `INSERT INTO server (id, name, address, port, sort)
  SELECT seq, CONCAT('盟重土城 ', seq), CONCAT('s', seq, '.game.example'), 7000 + seq, seq FROM `;
const ACCOUNT = `INSERT INTO player (id, account, password, email, server_id)
  SELECT seq, CONCAT('player', LPAD(seq, 8, '0')), MD5(CONCAT('password ', seq, '${SECRETS.PASSWORD_KEY}')),
    CONCAT('player', LPAD(seq, 8, '0'), '@mail.example'), seq % ${ZONES} + 1 FROM `;
const LINK = `INSERT INTO player_connect_threeparty (player_id, provider, connect_id)
  SELECT seq, 'forum', seq FROM `;
// Every player was here today, so that a login has nothing new to write down.
const ADDRESS = `INSERT INTO login_address (player_id, address, seen_at)
  SELECT seq, '127.0.0.1', UTC_TIMESTAMP(3) FROM `;

export async function fill(database, players) {
  const connection = await createConnection(database.url);
  await connection.query(`${ZONE} seq_1_to_${ZONES}`);
  for (let first = 1; first <= players; first += ROWS_A_STATEMENT) {
    const last = Math.min(first + ROWS_A_STATEMENT - 1, players);
    for (const insert of [ACCOUNT, LINK, ADDRESS])
      await connection.query(`${insert} seq_${first}_to_${last}`);
  }
  await connection.query('ANALYZE TABLE server, player, player_connect_threeparty, login_address');
  await connection.end();
}
