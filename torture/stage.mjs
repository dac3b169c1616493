// Sets up a run. All runs share the engines, and each run has a fresh deployment.
import { setTimeout as pause } from 'node:timers/promises';
import { openAccountDatabase, openRetrying, passwordHash } from './account-database.mjs';
import { startAccountServers } from './account-servers.mjs';
import { losesCommits } from './fault-kinds.mjs';
import { Forum } from './forum.mjs';
import { Game } from './game.mjs';
import { PLAYERS, ROLES, SERVERS } from './history.mjs';
import { Instance } from './instance.mjs';
import { tokenOf } from './secrets.mjs';
import { SettingsFile } from './settings-file.mjs';
import { SmallDisk } from './small-disk.mjs';
import * as support from './support.mjs';
import { GHOST_SLOTS, namesOf } from './twins.mjs';

export const BALANCE = 2_000_000;
export const PASSWORD = 'correct horse';

export async function startEngines(options) {
  const disk = options.faults.includes('database-full') ? new SmallDisk() : undefined;
  const [accountServers, world, redis, mail] = await Promise.all([
    startAccountServers(options, disk?.folder),
    support.GameWorld.start(),
    support.startRedis(),
    support.MailServer.start(),
  ]);
  const gameDatabase = openRetrying(world.mariadb.rootUrl);
  const stop = async () => {
    await gameDatabase.close();
    await Promise.all([accountServers.stop(), world.stop(), redis.stop(), mail.stop()]);
    disk?.unmount();
  };
  return { accountServers, disk, world, redis, mail, gameDatabase, stop };
}

/** `run` makes the server ids unique per run. */
export async function openStage(engines, { instances: count, faults }, run, onExit) {
  const folder = support.temporaryFolder('torture');
  const { url: databaseUrl } = await support.createDatabase(engines.accountServers.own.rootUrl);
  const isLossy = faults.some(losesCommits);
  const settings = new SettingsFile(folder, isLossy);
  const servers = Array.from({ length: SERVERS }, (_, server) => run * 10 + server + 1);
  for (const server of servers) await engines.world.addServer(server);
  const game = await Game.start(engines.world, servers);
  const forum = await Forum.start();
  const instances = await Promise.all(
    Array.from({ length: count }, (_, name) => {
      // The check for lost orders reads the sent orders from the log.
      const logLevel = isLossy ? 'info' : 'warn';
      const own = { databaseUrl, settings, forum, folder, name, logLevel, onExit };
      return Instance.open(engines, own);
    }),
  );
  // The first instance migrates the database.
  await instances[0].start();
  const database = openAccountDatabase(databaseUrl);
  await fillServers(database, servers, game);
  const players = await fillPlayers(database, run);
  await Promise.all(servers.map((server) => fillRoles(engines, server, players)));
  await Promise.all(instances.slice(1).map((instance) => instance.start()));
  const upstreams = instances.map(({ url }) => new URL(url).host);
  const nginx = await support.startNginx({ upstreams });
  // Instances reload the servers once per second.
  await pause(1100);

  const close = async () => {
    await nginx.stop();
    await Promise.all(instances.map((instance) => instance.close()));
    await Promise.all([game.stop(), forum.stop(), database.close()]);
    support.removeFolder(folder);
  };
  const rejoined = [];
  const losses = [];
  // A loss of commits may also undo the harness's own changes.
  const restoreServers = () =>
    Promise.all(
      servers.map((id, server) =>
        database.query(`UPDATE server SET status = 'normal', gm_port = ? WHERE id = ?`, [
          game.portOf(server),
          id,
        ]),
      ),
    );
  const deployment = { settings, servers, game, forum, instances, database, players, nginx };
  return { ...engines, ...deployment, rejoined, losses, restoreServers, close };
}

/** Returns the id of a player's role. The id differs between servers, because equal ids would hide a mix-up. */
export function roleOf(player, server, slot) {
  return 1_000_000 * (server + 1) + player * 10 + slot;
}

/** Creates roles for a player who exists for one operation. `server` is the server id. */
export async function createRoles({ gameDatabase }, server, roles, account, balance) {
  const rows = roles.map((role) => [role, `role${role}`, account, 50, balance]);
  await gameDatabase.query(
    `INSERT IGNORE INTO mir_actor_s${server}.actors
     (actorid, actorname, accountname, level, nonbindyuanbao) VALUES ?`,
    [rows],
  );
}

function fillServers(database, servers, game) {
  return Promise.all(
    servers.map((id, server) => createServerRow(database, id, game.portOf(server))),
  );
}

export async function createServerRow({ query }, id, gmPort) {
  await query(
    `INSERT IGNORE INTO server (id, name, address, port, gm_address, gm_port)
     VALUES (?, ?, '127.0.0.1', 7000, '127.0.0.1', ?)`,
    [id, `server ${id}`, gmPort],
  );
}

async function fillPlayers({ query }, run) {
  const players = Array.from({ length: PLAYERS }, (_, index) => ({
    index,
    ...namesOf(index, run),
    password: PASSWORD,
    from: `10.1.${index}.1`,
  }));
  const stored = passwordHash(PASSWORD);
  await query('INSERT INTO player (account, password, game_account) VALUES ?', [
    players.map(({ account, gameAccount }) => [account, stored, gameAccount]),
  ]);
  const rows = await query('SELECT id, account FROM player');
  const ids = new Map(rows.map(({ id, account }) => [account, id]));
  for (const player of players) {
    player.id = ids.get(player.account);
    player.token = tokenOf(player);
  }
  return players;
}

async function fillRoles({ gameDatabase }, server, players) {
  const serverIndex = (server - 1) % 10;
  const rows = players.flatMap(({ index, inGame, hasRoles, ghost }) => {
    const row = (owner) => (slot) => {
      const role = roleOf(index, serverIndex, slot);
      return [role, `role${role}`, owner, 50, BALANCE];
    };
    const own = hasRoles ? Array.from({ length: ROLES }, (_, slot) => row(inGame)(slot)) : [];
    return ghost ? [...own, ...GHOST_SLOTS.map(row(ghost))] : own;
  });
  await gameDatabase.query(
    `INSERT INTO mir_actor_s${server}.actors (actorid, actorname, accountname, level, nonbindyuanbao) VALUES ?`,
    [rows],
  );
}
