import type { EntityManager } from 'typeorm';

// Also skips ids of requests, and of deleted servers that withdrawals still name: those would become the new server's.
const NEXT_ID = `SELECT MAX(id) + 1 AS id FROM (
  SELECT 0 AS id
  UNION ALL SELECT MAX(id) FROM server
  UNION ALL SELECT MAX(target_id) FROM approval_request WHERE kind = 'server'
  UNION ALL SELECT MAX(role_server_id) FROM withdraw
) AS used`;

export async function nextServerId(manager: EntityManager): Promise<number> {
  const [{ id }] = await manager.query<[{ id: number | string }]>(NEXT_ID);
  return Number(id);
}
