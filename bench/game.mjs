// The game of the withdrawals, as the tests play it: a server's game database on a MariaDB of its own, and the GM interface.
// A process of its own, so that its work is not counted as the service's.
import { FakeGameServer, GameWorld } from './support.mjs';

const SERVER = 1;

// Killed by a bench that ends early, it could not end its MariaDB any more.
const bench = process.ppid;
setInterval(() => process.ppid === bench || process.exit(), 500).unref();

const world = await GameWorld.start();
await world.addServer(SERVER);
const { port } = await FakeGameServer.start(world, process.env.GM_SECRET);
const { rootUrl } = world.mariadb;
console.log(
  `listening ${JSON.stringify({ server: SERVER, port, rootUrl, databaseUrl: world.urlAt() })}`,
);
