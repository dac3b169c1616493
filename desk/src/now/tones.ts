export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const GOOD = ['up', 'ok'];
const QUIET = ['off', 'unknown'];
const WARN = ['impaired', 'slow'];

/**
 * Returns the tone for a component's state. Every state that is neither good nor absent needs
 * attention.
 */
export function toneOfState(state: string): Tone {
  if (GOOD.includes(state)) return 'good';
  if (QUIET.includes(state)) return 'quiet';
  return WARN.includes(state) ? 'warn' : 'bad';
}
