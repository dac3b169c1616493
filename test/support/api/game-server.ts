import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxGameServer, type RoleBalances } from '../../../src/sandbox/game-server.js';

export {
  type Fault,
  FAULTS,
  QUERY_OP,
  type RoleBalances,
} from '../../../src/sandbox/game-server.js';

/** Runs the sandbox's game server on its own port. */
export class FakeGameServer extends SandboxGameServer {
  private readonly server: Server = createServer(this.handle);

  static async start(world: RoleBalances, secret: string, port = 0): Promise<FakeGameServer> {
    const game = new FakeGameServer(world, secret);
    game.server.listen(port, '127.0.0.1');
    await once(game.server, 'listening');
    return game;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
