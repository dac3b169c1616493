import type { OperatorList } from '../api/answers';

export type OperatorAct = 'add' | 'reset' | 'disable' | 'enable';

/** Nobody acts on their own account, and with four eyes only the command lets somebody in. */
export function actsOn(
  { name, state }: OperatorList['operators'][number],
  { may_admit: mayAdmit }: OperatorList,
  me: string | undefined,
): OperatorAct[] {
  if (name === me) return [];
  if (state === 'disabled') return mayAdmit ? ['enable'] : [];
  return mayAdmit ? ['reset', 'disable'] : ['disable'];
}
