// Carries out a fault and ends it. Two faults of one thing do not overlap; all others do.
import { setTimeout as pause } from 'node:timers/promises';
import { LOSSES_APART_MS } from './lost-orders.mjs';
import { stopByItself } from './stops.mjs';
import { isolate } from './support.mjs';

/** A MariaDB that found no room writes down why it ends, and goes on meanwhile. */
const GIVES_UP_WITHIN_MS = 3000;

/** What a fault is done to, so that nobody thaws what somebody else has just killed. */
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

/** Each loss of commits can be told from the one before. */
export function isTooSoon({ losses }, { fault }) {
  const last = losses.at(-1)?.until ?? -Infinity;
  return fault === 'database-loss' && performance.now() - last < LOSSES_APART_MS;
}

/** Whether the instance ends, with all that it alone knows. */
export function isDeadly({ fault }) {
  return ['kill', 'terminate'].includes(fault);
}

/** Each is over when its promise is. `started` is given by those that leave an instance which is starting. */
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
  async 'database-loss'({ accountServers, losses, mendServers }, { ms }) {
    await accountServers.own.kill();
    const at = performance.now();
    await pause(ms / 4);
    await accountServers.own.restart();
    losses.push({ at, until: performance.now() });
    await mendServers();
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
    // As a supervisor does: it may have given up, or be about to, which takes it a while.
    const { own } = accountServers;
    const gaveUpBy = performance.now() + GIVES_UP_WITHIN_MS;
    while (!own.hasExited && performance.now() < gaveUpBy) await pause(100);
    if (own.hasExited) await own.restart();
  },
  'redis-kill': ({ redis }, { ms }) => killServer(redis, ms),
  'redis-freeze': ({ redis }, { ms }) => freezeServer(redis, ms),
  'game-database-freeze': ({ world }, { ms }) => freezeServer(world.mariadb, ms),
  'database-network': ({ instances }, entry) =>
    disturb(oneOf(instances[entry.instance].proxies.database, entry), entry),
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
  },
};

/** It is over when a cluster is whole again. */
async function onAccountServer({ accountServers, rejoined }, entry, fault) {
  const server = oneOf(accountServers.nodes, entry);
  const { pid } = server;
  await fault(server);
  await accountServers.whole();
  if (server.joinedBy && server.pid !== pid) rejoined.push(server.joinedBy());
}

/** The same in every run of the history. */
export function oneOf(nodes, { n }) {
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
    settings.breakIt();
    await pause(ms);
    settings.mend();
  }
}
