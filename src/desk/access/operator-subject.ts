/** What `audit_event` calls an operator. */
export function subjectOfOperator(name: string): string {
  return `operator ${name}`;
}
