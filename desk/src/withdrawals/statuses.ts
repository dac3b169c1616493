import type { WithdrawalStatus } from '../api/answers';
import type { Tone } from '../now/tones';

export const STATUSES: WithdrawalStatus[] = [
  'unknown',
  'sending',
  'created',
  'succeeded',
  'refused',
  'failed',
];

const TONES: Record<WithdrawalStatus, Tone> = {
  created: 'info',
  sending: 'info',
  unknown: 'warn',
  succeeded: 'good',
  refused: 'quiet',
  failed: 'bad',
};

export function toneOfStatus(status: string): Tone {
  return TONES[status as WithdrawalStatus] ?? 'quiet';
}
