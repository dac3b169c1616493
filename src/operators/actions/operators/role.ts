export const ROLES = ['support', 'moderator', 'treasury', 'admin'] as const;

/** The roles of operators, which decide what the desk shows and allows. */
export type Role = (typeof ROLES)[number];

/** The operator of a request. */
export interface DeskOperator {
  name: string;
  role: Role;
}
