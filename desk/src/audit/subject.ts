/** Returns the subject as the service writes it, such as `server 3` for “区服 3”. */
export function subjectOf(typed: string, kinds: Record<string, string>): string {
  const text = typed.trim();
  for (const [kind, name] of Object.entries(kinds))
    if (text.startsWith(name)) return `${kind} ${text.slice(name.length).trim()}`;
  return text;
}

/** Returns the page of the action's subject, if the subject has a page. */
export function pageOfSubject(subject: string): string | undefined {
  const [, kind, id] = /^(?:request for )?(player|withdrawal|server) (\d+)$/.exec(subject) ?? [];
  if (subject.startsWith('address ')) return '/guesses';
  if (kind === 'player') return `/players/${id}`;
  if (kind === 'withdrawal') return `/withdrawals/${id}`;
  return kind === 'server' ? `/servers?q=${id}` : undefined;
}
