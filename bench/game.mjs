// Runs the tests' fake game server and its MariaDB in a separate process, so that the benchmark
// does not count their CPU time.
import { FakeGameServer, GameWorld } from './support.mjs';

const SERVER = 1;

// Exits when the benchmark dies, so that the exit handlers stop MariaDB.
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(), 500).unref();

const world = await GameWorld.start();
await world.addServer(SERVER);
const { port } = await FakeGameServer.start(world, process.env.GM_SECRET);
const { rootUrl } = world.mariadb;
console.log(
  `listening ${JSON.stringify({ server: SERVER, port, rootUrl, databaseUrl: world.urlAt() })}`,
);
