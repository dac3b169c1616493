export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const GOOD = ['up', 'ok'];
const QUIET = ['off', 'unknown'];
const WARN = ['impaired', 'slow'];

/** The tone of a part of the service. Anything neither good nor absent needs a look. */
export function toneOfState(state: string): Tone {
  if (GOOD.includes(state)) return 'good';
  if (QUIET.includes(state)) return 'quiet';
  return WARN.includes(state) ? 'warn' : 'bad';
}
