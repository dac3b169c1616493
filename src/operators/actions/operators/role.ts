export const ROLES = ['support', 'moderator', 'treasury', 'admin'] as const;

/** What an operator is, and so what the desk shows and lets do. */
export type Role = (typeof ROLES)[number];

/** The operator of a request. */
export interface DeskOperator {
  name: string;
  role: Role;
}
