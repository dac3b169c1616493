const KEY = 'CQ-AGENT';

/** Whoever sent the player here is named in the first address only, and the registration may be pages away. */
export function rememberPromoter(search: string): void {
  const agentId = new URLSearchParams(search).get('agent_id');
  if (agentId) sessionStorage.setItem(KEY, agentId.slice(0, 64));
}

export function promoter(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}
