import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Router, urlencoded } from 'express';
import type { GameDatabaseFiles } from './game-database-files.js';
import type { Exchanges } from './exchanges.js';
import { escapeHtml, page } from './page.js';

const DEDUCT_OP = '10030';
export const QUERY_OP = '10031';

/** A deduction can fail before or after it is applied. */
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

/** `deduct` returns false if the balance does not cover the amount. */
export interface RoleBalances {
  deduct(serverId: number, roleId: number, account: string, amount: number): Promise<boolean>;
}

export interface LedgerEntry {
  roleId: number;
  amount: number;
  /** Counts how often the command arrived. Any number but 1 is the sender's error. */
  requests: number;
  /** Counts deductions. Repeated commands are applied too, so that double sends are visible. */
  applications: number;
}

type Fields = Record<string, string>;

/** Simulates a game server that deducts, keeps a ledger by `order_no`, and fails on demand. */
export class SandboxGameServer {
  readonly ledger = new Map<string, LedgerEntry>();
  fault: (order: Fields) => Fault = () => 'none';
  answersQueries = true;
  exchanges?: Exchanges;
  private readonly hangingCommands: Array<() => Promise<void>> = [];

  constructor(
    private readonly balances: RoleBalances,
    private readonly secret: string,
  ) {}

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.serve(request, response).catch(() => response.destroy());
  };

  get hangingCount(): number {
    return this.hangingCommands.length;
  }

  /** Resumes hanging commands, even long after the sender's timeout. */
  async release(): Promise<void> {
    await Promise.all(this.hangingCommands.splice(0).map((goOn) => goOn()));
  }

  /** Drops hanging commands, so that they are never applied. */
  dropHanging(): void {
    this.hangingCommands.length = 0;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const fields: Fields = Object.fromEntries(new URLSearchParams(body));
    this.exchanges?.watch(request, body, response, signedText(fields));
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
    const accepted = { code: 0, order_no };
    const tooLittle = { code: 1, message: 'too little' };
    if (fault === 'hang_before')
      return void this.hangingCommands.push(async () =>
        answer(response, (await apply()) ? accepted : tooLittle),
      );

    if (!(await apply())) return answer(response, tooLittle);
    if (fault === 'error_after') return answer(response, { code: 0 }, 500);
    if (fault === 'reset_after') return void request.socket.resetAndDestroy();
    if (fault === 'hang_after') return undefined;
    return answerOddly(fault, response, JSON.stringify(accepted));
  }

  private hasValidSignature(fields: Fields): boolean {
    const expected = createHmac('sha256', this.secret).update(signedText(fields)).digest('hex');
    return expected === fields.sign;
  }
}

function signedText(fields: Fields): string {
  return Object.keys(fields)
    .filter((name) => name !== 'sign')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

function answerOddly(fault: Fault, response: ServerResponse, accepted: string): void {
  if (fault === 'garbage') return void response.end('<html>code 0</html>');
  if (fault === 'huge') return void response.end(`{"code":0,"message":"${'x'.repeat(70_000)}"}`);
  if (fault === 'half') {
    response.writeHead(200, { 'Content-Length': 100 }).write('{"code":0,');
    return void response.socket?.end();
  }
  response.end(accepted);
  if (fault === 'twice')
    response.socket?.write(
      `HTTP/1.1 200 OK\r\nContent-Length: ${accepted.length}\r\n\r\n${accepted}`,
    );
  return undefined;
}

function answer(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

const FAULT_CHOICES: Partial<Record<Fault, string>> = {
  none: 'Works as it should',
  refuse: 'Refuses every deduction: the withdrawal is refused, nothing is taken',
  hang_before:
    'Hangs without deducting: the outcome is unknown until an operator settles the withdrawal',
  hang_after:
    'Deducts, then hangs: the outcome is also unknown, but the balance shows that a refund would be wrong',
  error_before: 'Answers with an error (HTTP 500) without deducting: unknown',
  error_after: 'Deducts, then answers with an error: unknown',
};

/** Serves the sandbox's GM interface, and a page that shows its requests and lets you choose a fault. */
export function gameServerPages(
  files: GameDatabaseFiles,
  secret: string,
  exchanges: Exchanges,
): Router {
  let current: Fault = 'none';
  const server = new SandboxGameServer(
    { deduct: (...order) => Promise.resolve(files.deduct(...order)) },
    secret,
  );
  server.fault = () => current;
  server.exchanges = exchanges;

  const router = Router();
  router.post('/command', server.handle);

  router.get('/', (_request, response) => {
    const buttons = Object.entries(FAULT_CHOICES).map(
      ([fault, meaning]) =>
        `<button name="fault" value="${fault}"${fault === current ? ' class="primary" aria-pressed="true"' : ''}>${meaning}</button>`,
    );
    const orders = Array.from(
      server.ledger,
      ([number, { roleId, amount, applications }]) =>
        `<tr><td>${escapeHtml(number)}</td><td>${roleId}</td><td>${amount}</td><td>${applications}</td></tr>`,
    );
    const ledger = orders.length
      ? `<table><thead><tr><th>order</th><th>role</th><th>amount</th><th>times deducted</th></tr></thead>
         <tbody>${orders.toReversed().join('')}</tbody></table>`
      : '<p>No orders since the start.</p>';
    const content = `
      <p>How does the game server answer withdrawals?</p>
      <form method="post"><div class="choices">${buttons.join('')}</div></form>
      <h2>Orders that came in</h2>${ledger}
      <h2>The last requests, as they were sent</h2>${exchanges.toHtml()}`;
    response.type('html').send(page('Game server', content));
  });

  router.post('/', urlencoded({ extended: false }), (request, response) => {
    const { fault } = request.body as { fault?: string };
    if (fault !== undefined && fault in FAULT_CHOICES) current = fault as Fault;
    response.redirect(303, '/sandbox/gm');
  });

  return router;
}
