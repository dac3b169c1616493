import type { WithdrawBody } from '../api/contract';

const KEY = 'CQ-WITHDRAW';

/** A withdrawal that was asked for and whose outcome this page does not know yet. */
export interface Attempt {
  account: string;
  key: string;
  body: WithdrawBody;
  roleName: string;
  zoneName: string;
  startedAt: number;
  /** When the last request went out that has had no answer. */
  unansweredAt?: number;
  /** Known once the service has answered that it is being checked. */
  id?: number;
}

/** Survives a reload, so that asking again repeats the same request under the same key and never makes a second one. */
export function keepAttempt(attempt: Attempt): void {
  sessionStorage.setItem(KEY, JSON.stringify(attempt));
}

export function keptAttempt(account: string | null): Attempt | undefined {
  const kept = parse(sessionStorage.getItem(KEY));
  return kept?.account === account ? kept : undefined;
}

export function forgetAttempt(): void {
  sessionStorage.removeItem(KEY);
}

function parse(text: string | null): Attempt | undefined {
  try {
    const kept = JSON.parse(text ?? 'null') as Attempt | null;
    return kept && typeof kept.key === 'string' && kept.body ? kept : undefined;
  } catch {
    return undefined;
  }
}
