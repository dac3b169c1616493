import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

const DEDUCT_OP = '10030';
export const QUERY_OP = '10031';

/** A fault of a deduction, before or after it is applied. */
export const FAULTS = [
  'none',
  'refuse',
  'hang_before',
  'hang_after',
  'reset_before',
  'reset_after',
  'error_before',
  'error_after',
  'garbage',
  'half',
  'huge',
  'redirect',
  'twice',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Access to the roles. `deduct` returns false when the balance does not cover the amount. */
export interface RoleBalances {
  deduct(serverId: number, roleId: number, account: string, amount: number): Promise<boolean>;
}

export interface LedgerEntry {
  roleId: number;
  amount: number;
  /** How often the command arrived; anything but 1 is an error of the sender. */
  requests: number;
  /** How often it was applied. Repeats are applied too, so that a double send shows. */
  applications: number;
}

type Fields = Record<string, string>;

/** A stand-in game server: really deducts, keeps a ledger by `order_no`, and fails on demand. */
export class SandboxGameServer {
  readonly ledger = new Map<string, LedgerEntry>();
  /** Chooses the fault of a deduction. */
  fault: (order: Fields) => Fault = () => 'none';
  /** Whether queries are answered. */
  answersQueries = true;
  private readonly hangingCommands: Array<() => Promise<void>> = [];

  constructor(
    private readonly balances: RoleBalances,
    private readonly secret: string,
  ) {}

  /** Handles one GM command. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.serve(request, response).catch(() => response.destroy());
  };

  /** How many commands hang before being applied. */
  get hangingCount(): number {
    return this.hangingCommands.length;
  }

  /** Resumes hanging commands, even long after their sender gave up. */
  async release(): Promise<void> {
    await Promise.all(this.hangingCommands.splice(0).map((goOn) => goOn()));
  }

  /** Drops hanging commands: they will never be applied. */
  dropHanging(): void {
    this.hangingCommands.length = 0;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields: Fields = Object.fromEntries(new URLSearchParams(await text(request)));
    if (!this.hasValidSignature(fields)) return answer(response, { code: -1, message: 'bad sign' });
    if (fields.op === QUERY_OP) return this.answerQuery(fields, response);
    if (fields.op === DEDUCT_OP) return this.deduct(fields, request, response);
    return answer(response, { code: -2, message: 'unknown op' });
  }

  private answerQuery({ order_no = '' }: Fields, response: ServerResponse): void {
    if (!this.answersQueries) return void response.destroy();
    const applied = (this.ledger.get(order_no)?.applications ?? 0) > 0;
    return answer(response, { code: 0, applied });
  }

  private async deduct(
    fields: Fields,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { order_no = '', role_id, amount } = fields;
    const order = this.ledger.get(order_no) ?? {
      roleId: Number(role_id),
      amount: Number(amount),
      requests: 0,
      applications: 0,
    };
    order.requests++;
    this.ledger.set(order_no, order);
    const apply = async () => {
      const { server_id, account = '' } = fields;
      const done = await this.balances.deduct(
        Number(server_id),
        order.roleId,
        account,
        order.amount,
      );
      if (done) order.applications++;
      return done;
    };

    const fault = this.fault(fields);
    if (fault === 'refuse') return answer(response, { code: 7, message: 'not now' });
    if (fault === 'redirect')
      return void response.writeHead(307, { Location: '/elsewhere' }).end('{"code":0}');
    if (fault === 'error_before') return answer(response, { code: 0 }, 500);
    if (fault === 'reset_before') return void request.socket.resetAndDestroy();
    const tooLittle = { code: 1, message: 'too little' };
    if (fault === 'hang_before')
      return void this.hangingCommands.push(async () =>
        answer(response, (await apply()) ? { code: 0 } : tooLittle),
      );

    if (!(await apply())) return answer(response, tooLittle);
    if (fault === 'error_after') return answer(response, { code: 0 }, 500);
    if (fault === 'reset_after') return void request.socket.resetAndDestroy();
    if (fault === 'hang_after') return undefined;
    return answerMalformed(fault, response);
  }

  private hasValidSignature({ sign, ...fields }: Fields): boolean {
    const signed = Object.keys(fields)
      .toSorted()
      .map((name) => `${name}=${fields[name]}`)
      .join('&');
    return createHmac('sha256', this.secret).update(signed).digest('hex') === sign;
  }
}

function answerMalformed(fault: Fault, response: ServerResponse): void {
  const accepted = '{"code":0}';
  if (fault === 'garbage') return void response.end('<html>code 0</html>');
  if (fault === 'huge') return void response.end(`{"code":0,"message":"${'x'.repeat(70_000)}"}`);
  if (fault === 'half') {
    response.writeHead(200, { 'Content-Length': 100 }).write('{"code":0,');
    return void response.socket?.end();
  }
  response.end(accepted);
  if (fault === 'twice')
    response.socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n${accepted}`);
  return undefined;
}

function answer(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
