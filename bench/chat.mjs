// Chat records per second: Gatehouse with 100 in a report against the floor with one insert a request, in alternating rounds.
// On a machine with other work the rates tell little; the processor time of the two processes then tells more.
import { readFileSync } from 'node:fs';
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

async function stored() {
  const [[row]] = await connection.query('SELECT COUNT(*) AS records FROM chat');
  return Number(row.records);
}

function processorMs(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15);
  return (Number(user) + Number(system)) * 10;
}

async function round({ url, pid }, batch, run) {
  const before = { records: await stored(), busy: processorMs(pid), at: performance.now() };
  await drive(url, SECONDS, 'chat.lua', batch, run);
  const seconds = (performance.now() - before.at) / 1000;
  const records = (await stored()) - before.records;
  return { rate: records / seconds, cost: ((processorMs(pid) - before.busy) * 1000) / records };
}

const floors = [];
const ours = [];
for (let count = 1; count <= ROUNDS; count++) {
  floors.push(await round(floor, '0', `floor${count}`));
  ours.push(await round(service, '100', `ours${count}`));
  const show = ({ rate, cost }) => `${rate.toFixed(0)} records/s at ${cost.toFixed(1)} µs each`;
  console.log(`round ${count}: floor ${show(floors.at(-1))}, ours ${show(ours.at(-1))}`);
}
const of = (rounds, what) => median(rounds.map((one) => one[what]));
const ratio = of(ours, 'rate') / of(floors, 'rate');
const saving = of(floors, 'cost') / of(ours, 'cost');
console.log(`${ratio.toFixed(1)} × the floor's records per second; the bar is ${BAR} ×`);
console.log(`${saving.toFixed(1)} × as many records for the same processor time of the process`);

await connection.end();
await Promise.all([service.stop(), floor.stop()]);
await mariadb.stop();
process.exit(ratio >= BAR ? 0 : 1);
