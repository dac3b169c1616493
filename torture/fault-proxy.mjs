// This TCP proxy resets, stalls, truncates or delays connections.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export class FaultProxy {
  #server = createServer((client) => this.#accept(client));
  #target;
  #sockets = new Set();
  #mode = 'none';
  #delay = 0;
  #ended = Promise.resolve();

  static async start(target) {
    const proxy = new FaultProxy();
    proxy.#target = target;
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port() {
    return this.#server.address().port;
  }

  /** Applies a fault for `ms` milliseconds. Afterwards delivers the stalled data, as a network would. */
  async disturb(mode, ms, delay) {
    this.#mode = mode;
    this.#delay = delay;
    this.#ended = this.#endAfter(ms);
    if (mode === 'reset') this.#resetAll();
    await this.#ended;
  }

  async stop() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #endAfter(ms) {
    await pause(ms);
    this.#mode = 'none';
  }

  #accept(client) {
    if (this.#mode === 'reset') return void client.resetAndDestroy();
    const upstream = connect(this.#target, '127.0.0.1');
    this.#carry(client, upstream);
    this.#carry(upstream, client);
    return undefined;
  }

  #carry(from, to) {
    this.#sockets.add(from);
    from.setNoDelay(true);
    let last = Promise.resolve();
    from.on('data', (chunk) => {
      last = last.then(() => this.#pass(chunk, from, to));
    });
    from.on('end', () => void last.then(() => to.end()));
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      void last.then(() => to.destroySoon());
    });
  }

  async #pass(chunk, from, to) {
    if (this.#mode === 'stall') await this.#ended;
    if (this.#mode === 'delay') await pause(this.#delay);
    if (this.#mode !== 'cut') return void to.write(chunk);
    to.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => {
      from.resetAndDestroy();
      to.resetAndDestroy();
    });
    return undefined;
  }

  #resetAll() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }
}
