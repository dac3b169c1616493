import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { GM_DEDUCT_OP } from '../../../platform/config/settings.schema.js';
import { gameHostProblem } from './game-hosts.js';
import { exchangeWithGm, type GmAddress, type PreSendCheck } from './gm-exchange.js';

const MAX_EVIDENCE_LENGTH = 300;

interface Deduction {
  serverId: number;
  roleId: number;
  account: string;
  amount: number;
  orderNo: string;
}

export interface DeductionOutcome {
  /** not_sent: no byte left this machine. unknown: it may have been applied, or may yet be. */
  kind: 'accepted' | 'refused' | 'not_sent' | 'unknown';
  /** The evidence, in words for a person. */
  evidence: string;
}

export interface OrderQueryResult {
  /** by_hand: the game server that received it can no longer be asked; a person settles it. */
  kind: 'applied' | 'not_applied' | 'no_answer' | 'by_hand';
  evidence: string;
}

type GmResponse =
  | { kind: 'answered'; code: number; answer: Record<string, unknown>; evidence: string }
  | { kind: 'not_sent' | 'unknown'; evidence: string };

/** The game server's GM interface. This file contains its whole format, for an integrator to adapt. */
@Injectable()
export class GmClient {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  /** Sends the command exactly once. `preSendCheck` may return a reason not to send, until the first byte. */
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
    return { kind: result.code === 0 ? 'accepted' : 'refused', evidence };
  }

  /** Whether the game server has applied an order; asking changes nothing there. */
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
    const problem = gameHostProblem(gm.host, this.settings.current.game_hosts);
    if (problem) return { kind: 'not_sent', evidence: problem };
    const command = { ...fields, time: Math.floor(Date.now() / 1000) };
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(command)) form.set(name, String(value));
    form.set('sign', sign(command, this.environment.GM_SECRET));
    const timeoutMs = this.settings.current.withdraw.gm_timeout * 1000;
    const result = await exchangeWithGm(gm, form.toString(), timeoutMs, stop, preSendCheck);
    return result.kind === 'answered' ? parseResponse(result) : result;
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

function parseResponse({ status, body }: { status: number | undefined; body: Buffer }): GmResponse {
  // Only the message for people may be in another encoding, and it affects nothing.
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

/** Evidence is shown on terminals: no control characters chosen by somebody else. */
function printable(text: string): string {
  return Array.from(text.replaceAll(/\p{C}/gu, '·')).slice(0, MAX_EVIDENCE_LENGTH).join('');
}
