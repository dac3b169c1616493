/** The subject of an operator in `audit_event`. */
export function operatorSubject(name: string): string {
  return `operator ${name}`;
}
