import type { Role } from '../../../src/operators/actions/operators/role.js';
import { addOperator, type SignedIn, signedIn, signIn, type TestDesk } from './desk-access.js';

/** An operator who is signed in, and who it is. */
export interface DeskUser extends SignedIn {
  readonly name: string;
  readonly role: Role;
}

export async function deskUser(desk: TestDesk, role: Role): Promise<DeskUser> {
  const operator = await addOperator(desk, role);
  return { ...(await signIn(desk, operator)), name: operator.name, role };
}

/** The same session at another desk. */
export function sameSessionAt(desk: TestDesk, { name, role, cookie, token }: DeskUser): DeskUser {
  return { ...signedIn(desk, cookie, token), name, role };
}
