import type { Server } from '../api/contract';

type StatusAndOpening = Pick<Server, 'status' | 'open_at'>;

export type ServerState = Server['status'] | 'upcoming';

/** Returns the status that players see, which is `upcoming` until the server opens. */
export function serverState({ status, open_at }: StatusAndOpening, now: number): ServerState {
  const isAhead = open_at !== null && Date.parse(open_at) > now;
  return isAhead && status !== 'maintenance' ? 'upcoming' : status;
}

export function canEnter(server: StatusAndOpening, now: number): boolean {
  return !['maintenance', 'upcoming', 'closed'].includes(serverState(server, now));
}

export function canRegister({ status }: StatusAndOpening): boolean {
  return !['maintenance', 'full', 'closed'].includes(status);
}

export function canWithdraw({ status }: StatusAndOpening): boolean {
  return !['maintenance', 'closed'].includes(status);
}
