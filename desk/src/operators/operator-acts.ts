import type { OperatorList } from '../api/answers';

export type OperatorAct = 'add' | 'reset' | 'disable' | 'enable';

/**
 * Operators cannot act on their own account. Under four-eyes approval, only the command `gatehouse operator` adds,
 * resets and enables operators.
 */
export function actsOn(
  { name, state }: OperatorList['operators'][number],
  { may_admit: mayAdmit }: OperatorList,
  me: string | undefined,
): OperatorAct[] {
  if (name === me) return [];
  if (state === 'disabled') return mayAdmit ? ['enable'] : [];
  return mayAdmit ? ['reset', 'disable'] : ['disable'];
}
