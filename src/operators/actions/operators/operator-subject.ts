/** What `audit_event` calls an operator. */
export function operatorSubject(name: string): string {
  return `operator ${name}`;
}
