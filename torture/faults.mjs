// Starts and ends faults. Faults with the same victim do not overlap, but all other faults may.
import { setTimeout as pause } from 'node:timers/promises';
import { MIN_LOSS_INTERVAL_MS } from './lost-orders.mjs';
import { stopByItself } from './stops.mjs';
import { isolate } from './support.mjs';

/** Another fault, such as a frozen database, may delay the comparison of the clocks. */
const CLOCK_COMPARED_WITHIN_MS = 60_000;

/** With a full disk, MariaDB may take this long to log the reason and exit. */
const EXITS_WITHIN_MS = 3000;

/**
 * A victim has only one fault at a time. Otherwise, the end of a freeze could resume a process that a kill has already
 * replaced.
 */
export function victimOf({ fault, instance, server, edit }) {
  if (['kill', 'terminate', 'freeze'].includes(fault)) return `instance ${instance}`;
  if (fault === 'clock') return `clock ${instance}`;
  if (fault === 'forum-network') return fault;
  if (fault === 'game-network') return `${fault} ${server}`;
  if (fault.endsWith('-network')) return `${fault} ${instance}`;
  if (fault === 'server' || fault === 'game-move') return `server ${server}`;
  if (fault === 'settings') return edit === 'broken' ? 'settings' : `settings ${edit}`;
  return fault.replace(/-(kill|freeze|loss|full|replace|cut)$/, '').replace(/^node$/, 'database');
}

/** Keeps losses of commits apart, so that each lost order belongs to exactly one loss. */
export function isTooSoon({ losses }, { fault }) {
  const last = losses.at(-1)?.until ?? -Infinity;
  return fault === 'database-loss' && performance.now() - last < MIN_LOSS_INTERVAL_MS;
}

/** Returns whether the instance exits and loses its in-memory state. */
export function isDeadly({ fault }) {
  return ['kill', 'terminate'].includes(fault);
}

/** Each function resolves when its fault is over. `started` is the pending start of an instance. */
export const FAULTS = {
  async kill({ instances }, { instance, ms }) {
    await instances[instance].stop('SIGKILL');
    await pause(ms / 4);
    return { started: instances[instance].start() };
  },
  async terminate({ instances }, { instance }) {
    await stopByItself(instances[instance]);
    return { started: instances[instance].start() };
  },
  async freeze({ instances }, { instance, ms }) {
    instances[instance].signal('SIGSTOP');
    await pause(ms);
    instances[instance].signal('SIGCONT');
  },
  'database-kill': (stage, entry) =>
    onAccountServer(stage, entry, (server) => killServer(server, entry.ms)),
  async 'database-loss'({ accountServers, losses, restoreServers }, { ms }) {
    await accountServers.own.kill();
    const at = performance.now();
    await pause(ms / 4);
    await accountServers.own.restart();
    losses.push({ at, until: performance.now() });
    await restoreServers();
  },
  'database-freeze': (stage, entry) =>
    onAccountServer(stage, entry, (server) => freezeServer(server, entry.ms)),
  'node-replace': (stage, entry) =>
    onAccountServer(stage, entry, async (node) => {
      await node.kill();
      node.loseData();
      await pause(entry.ms / 4);
      await node.restart();
    }),
  'node-cut': (stage, entry) =>
    onAccountServer(stage, entry, async (node) => {
      await isolate(node, 1);
      await pause(entry.ms);
      await isolate(node, 0);
    }),
  async 'database-full'({ accountServers, disk }, { ms }) {
    disk.fill();
    await pause(ms);
    disk.makeRoom();
    // Restarts the server, as a supervisor would, if the server has exited or is about to exit.
    const { own } = accountServers;
    const deadline = performance.now() + EXITS_WITHIN_MS;
    while (!own.hasExited && performance.now() < deadline) await pause(100);
    if (own.hasExited) await own.restart();
  },
  'redis-kill': ({ redis }, { ms }) => killServer(redis, ms),
  'redis-freeze': ({ redis }, { ms }) => freezeServer(redis, ms),
  'game-database-freeze': ({ world }, { ms }) => freezeServer(world.mariadb, ms),
  'database-network': ({ instances }, entry) =>
    disturb(pickNode(instances[entry.instance].proxies.database, entry), entry),
  'redis-network': ({ instances }, entry) =>
    disturb(instances[entry.instance].proxies.counters, entry),
  'game-database-network': ({ instances }, entry) =>
    disturb(instances[entry.instance].proxies.gameDatabase, entry),
  'mail-network': ({ instances }, entry) => disturb(instances[entry.instance].proxies.mail, entry),
  'game-network': ({ game }, entry) => disturb(game.proxyOf(entry.server), entry),
  'forum-network': ({ forum }, entry) => disturb(forum.proxy, entry),
  settings: ({ settings }, entry) => editSettings(settings, entry),
  async server({ database, servers }, { server, ms }) {
    const change = 'UPDATE server SET status = ? WHERE id = ?';
    await database.query(change, ['maintenance', servers[server]]);
    await pause(ms / 3);
    await database.query(change, ['normal', servers[server]]);
  },
  async 'game-move'({ database, servers, game }, { server }) {
    const change = 'UPDATE server SET gm_port = ? WHERE id = ?';
    await database.query(change, [game.move(server), servers[server]]);
  },
  async clock({ instances }, { instance, hours, ms }) {
    await instances[instance].stepClock(hours * 3_600_000);
    await pause(ms);
    await instances[instance].stepClock(0);
    // The instance compares its clock with the database's once a second, and uses the old difference until then.
    const deadline = performance.now() + CLOCK_COMPARED_WITHIN_MS;
    while (!(await instances[instance].knowsDatabaseClock()) && performance.now() < deadline)
      await pause(100);
  },
};

/** The fault is over when all nodes of a cluster are in sync again. */
async function onAccountServer({ accountServers, rejoined }, entry, fault) {
  const server = pickNode(accountServers.nodes, entry);
  const { pid } = server;
  await fault(server);
  await accountServers.untilInStep();
  if (server.joinedBy && server.pid !== pid) rejoined.push(server.joinedBy());
}

/** Picks the same node in every replay of the history. */
export function pickNode(nodes, { n }) {
  return nodes[n % nodes.length];
}

async function killServer(server, ms) {
  await server.kill();
  await pause(ms / 4);
  await server.restart();
}

async function freezeServer(server, ms) {
  server.pause();
  await pause(ms);
  server.resume();
}

function disturb(proxy, { mode, ms, delay }) {
  return proxy.disturb(mode, ms, delay);
}

async function editSettings(settings, { edit, ms, n }) {
  if (edit === 'cap') settings.raiseCap();
  if (edit === 'deny') settings.deny(`203.0.113.${n % 256}`);
  if (edit === 'off') {
    settings.setWithdraw({ enabled: false });
    await pause(ms / 4);
    settings.setWithdraw({ enabled: true });
  }
  if (edit === 'patience') {
    settings.setWithdraw({ gm_timeout: settings.gmTimeout + 2 });
    await pause(ms);
    settings.setWithdraw({ gm_timeout: settings.gmTimeout });
  }
  if (edit === 'broken') {
    settings.corrupt();
    await pause(ms);
    settings.repair();
  }
}
