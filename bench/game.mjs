// The game of the withdrawals, as the tests play it: a zone's database on a MariaDB of its own, and the GM interface.
// A process of its own, so that its work is not counted as the service's.
import { GameServer, GameWorld } from './support.mjs';

const ZONE = 1;

// Killed by a bench that ends early, it could not end its MariaDB any more.
const bench = process.ppid;
setInterval(() => process.ppid === bench || process.exit(), 500).unref();

const world = await GameWorld.start();
await world.createZone(ZONE);
const { port } = await GameServer.start(world, process.env.GM_SECRET);
const { rootUrl } = world.mariadb;
console.log(
  `listening ${JSON.stringify({ zone: ZONE, port, rootUrl, databaseUrl: world.urlAt() })}`,
);
