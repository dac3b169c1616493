/** The page about the subject of an act, if there is one. */
export function pageOfSubject(subject: string): string | undefined {
  const [, kind, id] = /^(?:request for )?(player|withdrawal|server) (\d+)$/.exec(subject) ?? [];
  if (kind === 'player') return `/players/${id}`;
  if (kind === 'withdrawal') return `/withdrawals/${id}`;
  return kind === 'server' ? `/servers?q=${id}` : undefined;
}
