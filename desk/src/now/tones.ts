export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const GOOD = ['up', 'ok', 'ready', 'good', 'running'];
const QUIET = ['off', 'none', 'unused', 'memory', 'unset'];

/** Of a part of the service. What is neither good nor absent needs a look. */
export function toneOfState(state: string): Tone {
  if (GOOD.includes(state)) return 'good';
  return QUIET.includes(state) ? 'quiet' : 'bad';
}
