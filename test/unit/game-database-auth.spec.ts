import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GameDatabasePools } from '../../src/features/withdraw/game/game-database.js';
import type { WithdrawalServer } from '../../src/features/withdraw/game/withdrawal-servers.js';
import type { DatabaseTls } from '../../src/platform/config/database-url.js';
import type { Environment } from '../../src/platform/config/environment.js';
import type { Settings } from '../../src/platform/config/settings.js';
import { createCertificates } from '../support/servers/certificates.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

const PASSWORD = 'password of the game databases';
const SCRAMBLE = Buffer.from('12345678901234567890');
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PUBLIC_KEY = publicKey.export({ type: 'spki', format: 'pem' }) as string;
const FULL_AUTHENTICATION = Buffer.from([1, 4]);
const CLIENT_SSL = 0x800;
const SSL_REQUEST_BYTES = 36;

/** Acts as an attacker's database server that tries to learn the password. */
class RogueDatabase {
  readonly received: Buffer[] = [];
  private server: Server;

  constructor(
    private readonly plugin: string,
    private readonly tls?: { cert: string; key: string },
  ) {}

  async listen(): Promise<number> {
    this.server = createServer((socket) => {
      const capabilities = this.tls ? 0xffffff ^ 0x20 : 0xffffff ^ 0x20 ^ CLIENT_SSL;
      send(socket, 0, greeting(capabilities));
      socket.once('data', (data) => {
        if (!this.tls) return this.askFor(socket, 2);
        // The request for TLS may arrive together with the first TLS bytes.
        socket.pause();
        socket.unshift(data.subarray(SSL_REQUEST_BYTES));
        const secure = new TLSSocket(socket, { isServer: true, ...this.tls });
        secure.once('data', () => this.askFor(secure, 3));
      });
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
  }

  /** Returns what the client sent, both as received and decrypted with the attacker's key. */
  learned(): string {
    return this.received.map((data) => `${data.toString()} ${decrypt(data)}`).join(' ');
  }

  private askFor(socket: Socket, sequence: number): void {
    socket.on('error', () => undefined);
    const { plugin } = this;
    send(socket, sequence, Buffer.concat([Buffer.from(`\xfe${plugin}\0`, 'latin1'), SCRAMBLE]));
    let next = sequence + 2;
    const more = plugin === 'caching_sha2_password' ? [FULL_AUTHENTICATION] : [];
    more.push(Buffer.from(`\x01${PUBLIC_KEY}`));
    socket.on('data', (data) => {
      this.received.push(data.subarray(4));
      const reply = more.shift();
      if (reply) send(socket, next, reply);
      else socket.end();
      next += 2;
    });
  }
}

function decrypt(data: Buffer): string {
  try {
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const plain = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha1' }, data);
    return plain.map((byte, index) => byte ^ SCRAMBLE[index % 20]!).toString();
  } catch {
    return '';
  }
}

function send(socket: Socket, sequence: number, payload: Buffer): void {
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  header[3] = sequence;
  socket.write(Buffer.concat([header, payload]));
}

function greeting(capabilities: number): Buffer {
  const fields = Buffer.alloc(18);
  fields.writeUInt16LE(capabilities & 0xffff, 0);
  fields.writeUInt8(45, 2);
  fields.writeUInt16LE(2, 3);
  fields.writeUInt16LE(capabilities >>> 16, 5);
  fields.writeUInt8(21, 7);
  return Buffer.concat([
    Buffer.from('\x0a8.0.0\0\x01\0\0\0', 'latin1'),
    SCRAMBLE.subarray(0, 8),
    Buffer.from([0]),
    fields,
    SCRAMBLE.subarray(8),
    Buffer.from('\0mysql_native_password\0'),
  ]);
}

const open: RogueDatabase[] = [];
afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

async function readFrom(database: RogueDatabase, ssl?: DatabaseTls): Promise<string> {
  open.push(database);
  const hosts = [{ host: '127.0.0.1', port: await database.listen() }];
  const pools = new GameDatabasePools(
    { gameDatabase: { hosts, user: 'reader', password: PASSWORD, ssl } } as unknown as Environment,
    {
      current: {
        game_database: { pattern: 's{server_id}' },
        game_hosts: [] as string[],
        desk: { instances: [] as string[] },
      },
    } as Settings,
  );
  const server = { id: 1, dbHost: null, dbPort: null } as WithdrawalServer;
  const read = pools.read(server, 'SELECT 1', []).then(() => 'it was read');
  const problem = await read.catch((error: Error) => error.message);
  pools.onApplicationShutdown();
  return problem;
}

let tls: { cert: string; key: string };
beforeAll(() => {
  const folder = temporaryFolder('rogue');
  const { cert, key } = createCertificates(folder);
  tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  removeFolder(folder);
});

describe('A game database without verified TLS', () => {
  const plugins = ['mysql_clear_password', 'sha256_password', 'caching_sha2_password'];

  it.each(plugins)('does not learn the password through %s', async (plugin) => {
    const database = new RogueDatabase(plugin);
    const problem = await readFrom(database);
    expect(database.learned()).not.toContain(PASSWORD);
    expect(problem).toContain(plugin);
  });

  it.each(plugins)('does not learn the password through %s over TLS either', async (plugin) => {
    const database = new RogueDatabase(plugin, tls);
    const ssl = { rejectUnauthorized: false, verifyIdentity: false };
    const problem = await readFrom(database, ssl);
    expect(database.learned()).not.toContain(PASSWORD);
    expect(problem).toContain(plugin);
  });
});
