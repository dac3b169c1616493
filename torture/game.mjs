// Runs two fake game servers per server. The server table points to one of the two, and both share a ledger.
import { FaultProxy } from './fault-proxy.mjs';
import { FakeGameServer } from './support.mjs';
import { SECRETS } from './secrets.mjs';

export class Game {
  #servers = [];
  #faults = new Map();
  #held = new Set();
  orders = new Map();
  met = {};

  static async start(world, ids) {
    const game = new Game();
    for (const id of ids) {
      const gms = await Promise.all(
        [0, 1].map(async () => {
          const gm = await FakeGameServer.start(world, SECRETS.GM_SECRET);
          gm.fault = (order) => game.#faultOf(order);
          return { gm, proxy: await FaultProxy.start(gm.port) };
        }),
      );
      game.#servers.push({ id, gms, current: 0 });
    }
    return game;
  }

  portOf(server) {
    const { gms, current } = this.#servers[server];
    return gms[current].proxy.port;
  }

  proxyOf(server) {
    const { gms, current } = this.#servers[server];
    return gms[current].proxy;
  }

  /** Switches to the server's other GM interface and returns the port of that interface. */
  move(server) {
    this.#servers[server].current = 1 - this.#servers[server].current;
    return this.portOf(server);
  }

  expect(role, amount, fault) {
    this.#faults.set(`${role} ${amount}`, fault);
  }

  isHeld(orderNo) {
    return this.#held.has(orderNo);
  }

  async release() {
    const now = performance.now();
    for (const orderNo of this.#held) this.orders.get(orderNo).answeredAt = now;
    await Promise.all(this.#gms().map((gm) => gm.release()));
    this.#held.clear();
  }

  dropHanging() {
    for (const gm of this.#gms()) {
      gm.dropHanging();
      gm.fault = () => 'none';
    }
    this.#held.clear();
  }

  /** Returns what all game servers together received and applied, by order number. */
  ledger() {
    const all = new Map();
    for (const gm of this.#gms())
      for (const [orderNo, { roleId, amount, requests, applications }] of gm.ledger) {
        const order = all.get(orderNo) ?? { roleId, amount, requests: 0, applications: 0 };
        order.requests += requests;
        order.applications += applications;
        all.set(orderNo, order);
      }
    return all;
  }

  async stop() {
    for (const { gms } of this.#servers)
      for (const { gm, proxy } of gms) {
        await proxy.stop();
        await gm.stop();
      }
  }

  #gms() {
    return this.#servers.flatMap(({ gms }) => gms.map(({ gm }) => gm));
  }

  #faultOf({ server_id, role_id, amount, account, order_no }) {
    const fault = this.#faults.get(`${role_id} ${amount}`) ?? 'none';
    const [server, role] = [Number(server_id), Number(role_id)];
    const at = performance.now();
    const answeredAt = fault.startsWith('hang') ? Infinity : at;
    const order = { server, role, amount: Number(amount), account, fault, at, answeredAt };
    this.orders.set(order_no, order);
    if (fault === 'hang_before') this.#held.add(order_no);
    if (fault !== 'none') this.met[fault] = (this.met[fault] ?? 0) + 1;
    return fault;
  }
}
