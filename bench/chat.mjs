// Chat records per second: Gatehouse with 100 in a report against the floor with one insert a request, in alternating rounds.
import { createConnection } from 'mysql2/promise';
import { createDatabase, drive, median, startFloor, startMariaDb, startService } from './stage.mjs';

const ROUNDS = 3;
const SECONDS = 5;
const BAR = 20;

// As large as a server's, where the tests' own are small: pages that are written out again and again are no part of this.
const mariadb = await startMariaDb({
  args: ['--innodb-buffer-pool-size=512M', '--innodb-log-file-size=256M'],
});
const database = await createDatabase(mariadb.rootUrl);
const service = await startService(database);
const floor = await startFloor(database);
const connection = await createConnection(database.url);

const stored = async () =>
  Number((await connection.query('SELECT COUNT(*) AS n FROM chat'))[0][0].n);

async function recordsPerSecond(url, batch, run) {
  const before = await stored();
  const started = performance.now();
  await drive(url, SECONDS, 'chat.lua', batch, run);
  const seconds = (performance.now() - started) / 1000;
  return ((await stored()) - before) / seconds;
}

const ours = [];
const floors = [];
for (let round = 1; round <= ROUNDS; round++) {
  floors.push(await recordsPerSecond(floor.url, '0', `floor${round}`));
  ours.push(await recordsPerSecond(service.url, '100', `ours${round}`));
  console.log(
    `round ${round}: floor ${floors.at(-1).toFixed(0)}, ours ${ours.at(-1).toFixed(0)} records/s`,
  );
}
const ratio = median(ours) / median(floors);
console.log(`${ratio.toFixed(1)} × the floor; the bar is ${BAR} ×`);

await connection.end();
await Promise.all([service.stop(), floor.stop()]);
await mariadb.stop();
process.exit(ratio >= BAR ? 0 : 1);
