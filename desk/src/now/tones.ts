export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const GOOD = ['up', 'ok'];
const QUIET = ['off', 'unknown'];
const WARN = ['impaired', 'slow'];

/** Of a part of the service. What is neither good nor absent needs a look. */
export function toneOfState(state: string): Tone {
  if (GOOD.includes(state)) return 'good';
  if (QUIET.includes(state)) return 'quiet';
  return WARN.includes(state) ? 'warn' : 'bad';
}
