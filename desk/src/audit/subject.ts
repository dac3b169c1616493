/** The page of what an act was about, where there is one. */
export function pageOfSubject(subject: string): string | undefined {
  const [, kind, id] = /^(player|withdrawal|server) (\d+)$/.exec(subject) ?? [];
  if (kind === 'player') return `/players/${id}`;
  if (kind === 'withdrawal') return `/withdrawals/${id}`;
  return kind === 'server' ? `/servers?q=${id}` : undefined;
}
