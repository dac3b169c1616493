import { createHmac } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { GM_DEDUCT_OP } from '../../../platform/config/settings.schema.js';
import {
  endpointProblem,
  ownEndpointProblem,
} from '../../../platform/http/request/endpoint-problem.js';
import type { GmAddress } from './withdrawal-servers.js';

const MAX_EVIDENCE_LENGTH = 300;
const MAX_RESPONSE_BYTES = 64 * 1024;

interface Deduction {
  serverId: number;
  roleId: number;
  account: string;
  amount: number;
  orderNo: string;
}

export interface DeductionOutcome {
  /**
   * `not_sent` means that no byte left this machine. An `unknown` command may have been applied, or may be applied
   * later.
   */
  kind: 'accepted' | 'refused' | 'not_sent' | 'unknown';
  evidence: string;
}

export interface OrderQueryResult {
  /** `by_hand` means that the game server that received the order can no longer be queried. */
  kind: 'applied' | 'not_applied' | 'no_answer' | 'by_hand';
  evidence: string;
}

type GmResponse =
  | { kind: 'answered'; code: number; answer: Record<string, unknown>; evidence: string }
  | { kind: 'not_sent' | 'unknown'; evidence: string };

type GmExchangeResult =
  | { kind: 'answered'; status: number | undefined; body: Buffer }
  | { kind: 'not_sent' | 'unknown'; evidence: string };

/** Returns a reason not to send, or undefined. The check runs again once the peer's address is known. */
type PreSendCheck = (peer?: string) => string | undefined;

/** Calls a game server's GM interface. The whole protocol is in this file, so that integrators can adapt it. */
@Injectable()
export class GmClient {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  /** Sends the command exactly once. */
  async deduct(
    gm: GmAddress,
    deduction: Deduction,
    stop?: AbortSignal,
    preSendCheck?: PreSendCheck,
  ): Promise<DeductionOutcome> {
    const { serverId, roleId, account, amount, orderNo } = deduction;
    const fields = { server_id: serverId, role_id: roleId, account, amount, order_no: orderNo };
    const result = await this.call(gm, { op: GM_DEDUCT_OP, ...fields }, stop, preSendCheck);
    const { kind, evidence } = result;
    if (kind !== 'answered') return { kind, evidence };
    if (result.code !== 0) return { kind: 'refused', evidence };
    const mustRepeat = this.settings.current.withdraw.gm_answer === 'order_no';
    return mustRepeat && result.answer.order_no !== orderNo
      ? { kind: 'unknown', evidence: `the answer has another order_no or none: ${evidence}` }
      : { kind: 'accepted', evidence };
  }

  /** Asks whether the game server has applied an order, without changing anything there. */
  async queryOrder(
    gm: GmAddress,
    serverId: number,
    orderNo: string,
    stop?: AbortSignal,
  ): Promise<OrderQueryResult> {
    const op = this.settings.current.withdraw.gm_query_op;
    if (op === null) return { kind: 'no_answer', evidence: 'gm_query_op is not set' };
    const result = await this.call(gm, { op, server_id: serverId, order_no: orderNo }, stop);
    const { evidence } = result;
    if (result.kind !== 'answered' || result.code !== 0) return { kind: 'no_answer', evidence };
    const { applied } = result.answer;
    if (typeof applied !== 'boolean') return { kind: 'no_answer', evidence };
    return { kind: applied ? 'applied' : 'not_applied', evidence };
  }

  private async call(
    gm: GmAddress,
    fields: Record<string, string | number>,
    stop?: AbortSignal,
    preSendCheck?: PreSendCheck,
  ): Promise<GmResponse> {
    const { environment } = this;
    const settings = this.settings.current;
    const problem = endpointProblem(gm, environment, settings);
    if (problem) return { kind: 'not_sent', evidence: problem };
    // A host name may resolve to this service, which only the open connection reveals.
    const peerProblem = (address = gm.host) =>
      ownEndpointProblem({ ...gm, host: address }, environment, settings);
    const command = { ...fields, time: Math.floor(Date.now() / 1000) };
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(command)) form.set(name, String(value));
    form.set('sign', sign(command, this.environment.GM_SECRET));
    const timeoutMs = settings.withdraw.gm_timeout * 1000;
    const check: PreSendCheck = (peer) => peerProblem(peer) ?? preSendCheck?.();
    const result = await exchange(gm, form.toString(), timeoutMs, stop, check);
    return result.kind === 'answered' ? parseResponse(result) : result;
  }
}

/** Sorts the fields by name, joins them as `k=v&k=v` without escaping, and signs them with HMAC-SHA256 in hex. */
export function sign(fields: Record<string, string | number>, secret: string): string {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
  return createHmac('sha256', secret).update(text).digest('hex');
}

function parseResponse({ status, body }: { status: number | undefined; body: Buffer }): GmResponse {
  // Only the human-readable message may use another encoding, and the message does not affect the outcome.
  const text = body.toString();
  const evidence = printable(`HTTP ${status} ${text}`);
  const answer = parseJsonObject(text);
  if (status !== 200 || !answer || !Number.isSafeInteger(answer.code))
    return { kind: 'unknown', evidence };
  return { kind: 'answered', code: answer.code as number, answer, evidence };
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces control characters from the game server, because terminals display the evidence. */
function printable(text: string): string {
  return Array.from(text.replaceAll(/\p{C}/gu, '·')).slice(0, MAX_EVIDENCE_LENGTH).join('');
}

/**
 * Sends one request on its own connection. `fetch` cannot distinguish a timeout while connecting, when nothing was
 * sent, from a later timeout, and may reuse a connection that the game server is closing.
 */
function exchange(
  { host, port, path }: GmAddress,
  form: string,
  timeoutMs: number,
  stop: AbortSignal = new AbortController().signal,
  preSendCheck: PreSendCheck = () => undefined,
): Promise<GmExchangeResult> {
  return new Promise((resolve) => {
    let outgoing: ClientRequest | undefined;
    let incomingResponse: IncomingMessage | undefined;
    let ended = false;
    let expired: string | undefined;
    const end = (result: GmExchangeResult) => {
      ended = true;
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
      resolve(result);
      // The connection is reset, so that the kernel does not send data that is still buffered.
      if (result.kind === 'unknown') socket.resetAndDestroy();
      else socket.destroy();
      outgoing?.destroy();
    };
    const fail = (evidence: string) => end({ kind: outgoing ? 'unknown' : 'not_sent', evidence });
    const onStop = () => fail('the service was stopped');
    /** Reads data that arrived while the process was frozen, because Node runs timers before it reads sockets. */
    const expire = (evidence: string, seen: number) =>
      setImmediate(() => {
        if (ended) return;
        if (socket.bytesRead > seen) expire(evidence, socket.bytesRead);
        else fail(evidence);
      });
    const timer = setTimeout(() => {
      expired = `no answer within ${timeoutMs / 1000} s`;
      expire(expired, socket.bytesRead);
    }, timeoutMs);

    const socket = new Socket();
    socket.on('error', (error) => {
      // An error after a complete response does not affect the outcome.
      if (!ended && !incomingResponse?.complete) fail(error.message || error.name);
    });
    const problem = stop.aborted ? 'the service was stopped' : preSendCheck();
    if (problem !== undefined) return fail(problem);
    stop.addEventListener('abort', onStop);
    const onConnect = () => {
      const reason = expired ?? preSendCheck(socket.remoteAddress);
      if (ended) return;
      if (reason !== undefined) return fail(reason);
      try {
        outgoing = post({ host, port, path }, form, socket);
      } catch (error) {
        return fail((error as Error).message);
      }
      outgoing.on('error', (error) => {
        if (!ended && !incomingResponse?.complete) fail(error.message || error.name);
      });
      outgoing.on('response', (incoming) => {
        incomingResponse = incoming;
        readBody(
          incoming,
          (body) => ended || end({ kind: 'answered', status: incoming.statusCode, body }),
          (evidence) => ended || fail(evidence),
        );
      });
    };
    try {
      socket.connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port, noDelay: true }, onConnect);
    } catch (error) {
      // Node throws on an invalid port, which a table without CHECK constraints may contain.
      fail((error as Error).message);
    }
  });
}

function post({ host, port, path }: GmAddress, form: string, socket: Socket): ClientRequest {
  const outgoing = request({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    path,
    method: 'POST',
    createConnection: () => socket,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(form),
    },
  });
  outgoing.end(form);
  return outgoing;
}

/** Uses event handlers, because awaiting each chunk takes longer than the rest of the exchange. */
function readBody(
  incoming: IncomingMessage,
  onComplete: (body: Buffer) => void,
  onFailure: (evidence: string) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) onFailure('the answer is larger than 64 KiB');
    else chunks.push(chunk);
  });
  incoming.on('end', () => onComplete(Buffer.concat(chunks)));
  incoming.on('error', (error) => onFailure(error.message));
  incoming.on('close', () => onFailure('the answer broke off'));
}
