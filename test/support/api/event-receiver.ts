import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const EVENT_SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

export interface ReceivedEvent {
  id: string;
  at: number;
  type: string;
  data: Record<string, unknown> & { player_id: number };
  text: string;
  /** The path includes the query, so that a test can distinguish instances with different settings. */
  path: string;
  /** This is true if the Standard Webhooks signature is valid and at most five minutes old. */
  isGenuine: boolean;
}

type Answer = (event: ReceivedEvent, response: ServerResponse) => void;

/** Receives events as a game server does. */
export class EventReceiver {
  readonly events: ReceivedEvent[] = [];
  answer: Answer = (_, response) => void response.end('{}');
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(secret = EVENT_SECRET, port = 0): Promise<EventReceiver> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    const receiver = new EventReceiver(server, (server.address() as AddressInfo).port);
    server.on('request', (request, response) => void receiver.receive(request, response, secret));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events?from=gatehouse`;
  }

  of(playerId: number): ReceivedEvent[] {
    return this.events.filter(({ data }) => data.player_id === playerId);
  }

  typesOf(playerId: number): string[] {
    return this.of(playerId).map(({ type }) => type);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async receive(request: IncomingMessage, response: ServerResponse, secret: string) {
    const text = (await request.toArray()).join('');
    const id = String(request.headers['webhook-id']);
    const timestamp = Number(request.headers['webhook-timestamp']);
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signature = createHmac('sha256', key)
      .update(`${id}.${timestamp}.${text}`)
      .digest('base64');
    const signatures = String(request.headers['webhook-signature']).split(' ');
    const { type, data } = JSON.parse(text);
    const isGenuine = signatures.includes(`v1,${signature}`);
    const path = request.url!;
    const event = { id, at: timestamp, type, data, text, path, isGenuine };
    this.events.push(event);
    this.answer(event, response);
  }
}
