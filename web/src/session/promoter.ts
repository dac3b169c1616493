const KEY = 'CQ-AGENT';

/** Only the first URL contains the promoter, and the registration may come several pages later. */
export function rememberPromoter(search: string): void {
  const agentId = new URLSearchParams(search).get('agent_id');
  if (agentId) sessionStorage.setItem(KEY, agentId.slice(0, 64));
}

export function promoter(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}
