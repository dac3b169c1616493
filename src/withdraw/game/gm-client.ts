import { createHmac } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Settings } from '../../config/settings.js';

const DEDUCT_OP = 10030;
const LARGEST_ANSWER = 64 * 1024;
const LONGEST_EVIDENCE = 300;

export interface GmAddress {
  host: string;
  port: number;
  path: string;
}

export interface Deduction {
  serverId: number;
  roleId: number;
  account: string;
  amount: number;
  orderNo: string;
}

export interface DeductionOutcome {
  /** not_sent: no byte left this machine. unknown: it may have been applied, or may yet be. */
  kind: 'accepted' | 'refused' | 'not_sent' | 'unknown';
  /** What it rests on, in words for a person. */
  evidence: string;
}

export interface Inquiry {
  kind: 'applied' | 'not_applied' | 'no_answer';
  evidence: string;
}

type Exchange =
  | { kind: 'answered'; code: number; answer: Record<string, unknown>; evidence: string }
  | { kind: 'not_sent' | 'unknown'; evidence: string };

/** The game server's GM interface: the whole of its outside format is in this file, for an integrator to adapt. */
@Injectable()
export class GmClient {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  /** Sends the command once, and never again. */
  async deduct(gm: GmAddress, deduction: Deduction, stop?: AbortSignal): Promise<DeductionOutcome> {
    const { serverId, roleId, account, amount, orderNo } = deduction;
    const fields = { server_id: serverId, role_id: roleId, account, amount, order_no: orderNo };
    const result = await this.call(gm, { op: DEDUCT_OP, ...fields }, stop);
    const { kind, evidence } = result;
    if (kind !== 'answered') return { kind, evidence };
    return { kind: result.code === 0 ? 'accepted' : 'refused', evidence };
  }

  /** Whether the game server has applied an order; asking changes nothing there. */
  async ask(
    gm: GmAddress,
    serverId: number,
    orderNo: string,
    stop?: AbortSignal,
  ): Promise<Inquiry> {
    const op = this.settings.current.withdraw.gm_query_op;
    if (op === null) return { kind: 'no_answer', evidence: 'gm_query_op is not set' };
    const result = await this.call(gm, { op, server_id: serverId, order_no: orderNo }, stop);
    const { evidence } = result;
    if (result.kind !== 'answered' || result.code !== 0) return { kind: 'no_answer', evidence };
    const { applied } = result.answer;
    if (typeof applied !== 'boolean') return { kind: 'no_answer', evidence };
    return { kind: applied ? 'applied' : 'not_applied', evidence };
  }

  private call(gm: GmAddress, fields: Record<string, string | number>, stop?: AbortSignal) {
    const command = { ...fields, time: Math.floor(Date.now() / 1000) };
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(command)) form.set(name, String(value));
    form.set('sign', sign(command, this.environment.GM_SECRET));
    const patience = this.settings.current.withdraw.gm_timeout * 1000;
    return exchange(gm, form.toString(), patience, stop);
  }
}

/** hex HMAC-SHA256 over the fields sorted by name and joined `k=v&k=v`, values as they are. */
export function sign(fields: Record<string, string | number>, secret: string): string {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
  return createHmac('sha256', secret).update(text).digest('hex');
}

/**
 * One request on a connection of its own. Not `fetch`: it cannot tell a time-out while connecting, when nothing
 * was sent, from one after, and it may pick a kept connection that the other side is just closing.
 */
function exchange(
  { host, port, path }: GmAddress,
  form: string,
  patience: number,
  stop: AbortSignal = new AbortController().signal,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let connected = false;
    let answering: IncomingMessage | undefined;
    const broken = (evidence: string) =>
      end({ kind: connected ? 'unknown' : 'not_sent', evidence });
    const onStop = () => broken('the service was stopped');
    const timer = setTimeout(() => broken(`no answer within ${patience / 1000} s`), patience);
    stop.addEventListener('abort', onStop);
    const end = (result: Exchange) => {
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
      resolve(result);
      // What the kernel has not delivered yet shall not go out after we gave up.
      if (result.kind === 'unknown') outgoing?.socket?.resetAndDestroy();
      outgoing?.destroy();
    };

    let outgoing: ReturnType<typeof request> | undefined;
    try {
      if (stop.aborted) return onStop();
      outgoing = request({
        host: host.replace(/^\[(.*)\]$/, '$1'),
        port,
        path,
        method: 'POST',
        agent: false,
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': Buffer.byteLength(form),
        },
      });
    } catch (error) {
      return broken((error as Error).message);
    }
    outgoing.on('socket', (socket) => socket.once('connect', () => (connected = true)));
    outgoing.on('error', (error) => {
      // What comes after a whole answer takes nothing back.
      if (!answering?.complete) broken(error.message || error.name);
    });
    outgoing.on('response', (incoming) => {
      answering = incoming;
      readAnswer(incoming).then(end, (error: Error) => broken(error.message));
    });
    outgoing.end(form);
    return undefined;
  });
}

async function readAnswer(incoming: IncomingMessage): Promise<Exchange> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) throw new Error('the answer is larger than 64 KiB');
    chunks.push(chunk);
  }
  // Only the message for people may be in another encoding, and it decides nothing.
  const text = Buffer.concat(chunks).toString();
  const evidence = printable(`HTTP ${incoming.statusCode} ${text}`);
  const answer = parsed(text);
  if (incoming.statusCode !== 200 || !answer || !Number.isSafeInteger(answer.code))
    return { kind: 'unknown', evidence };
  return { kind: 'answered', code: answer.code as number, answer, evidence };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Evidence is shown on terminals: no control characters of somebody else's choice. */
function printable(text: string): string {
  return Array.from(text.replaceAll(/\p{C}/gu, '·')).slice(0, LONGEST_EVIDENCE).join('');
}
