import type { OperatorList } from '../api/answers';

export type OperatorAct = 'add' | 'reset' | 'disable' | 'enable';

/** Nobody acts on their own account, and with four eyes only the command gives out passwords. */
export function actsOn(
  { name, state }: OperatorList['operators'][number],
  { may_give_passwords: mayGive }: OperatorList,
  me: string | undefined,
): OperatorAct[] {
  if (name === me) return [];
  return state === 'disabled' ? ['enable'] : [...(mayGive ? ['reset' as const] : []), 'disable'];
}
