import type { Withdrawal } from '../api/contract';

export type WithdrawalState = Withdrawal['status'];
type Tone = 'good' | 'bad' | 'pending' | 'quiet';

/** Lists every state of the API description. A new state breaks the compilation until it is added here. */
const STATES: Record<WithdrawalState, { settled: boolean; tone: Tone }> = {
  created: { settled: false, tone: 'quiet' },
  sending: { settled: false, tone: 'pending' },
  succeeded: { settled: true, tone: 'good' },
  refused: { settled: true, tone: 'bad' },
  failed: { settled: true, tone: 'bad' },
  unknown: { settled: false, tone: 'pending' },
};

export const WITHDRAWAL_STATES = Object.keys(STATES) as WithdrawalState[];

export function isSettled({ status }: Pick<Withdrawal, 'status'>): boolean {
  return STATES[status].settled;
}

export function toneOf({ status }: Pick<Withdrawal, 'status'>): Tone {
  return STATES[status].tone;
}
