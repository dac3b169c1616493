type Rows = Array<Record<string, unknown>>;

const VARIABLES = `SHOW GLOBAL VARIABLES WHERE Variable_name IN
  ('read_only', 'super_read_only', 'innodb_read_only', 'wsrep_on', 'group_replication_group_name')`;
const GALERA = `SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_status')`;
const GROUP = `SELECT MEMBER_ID = @@server_uuid AS own, MEMBER_STATE AS state, MEMBER_ROLE AS role
  FROM performance_schema.replication_group_members`;

/** Why the server takes no writes, or undefined if it does. Rejects if it does not answer. */
export async function whyNotWritable(
  query: (sql: string) => Promise<unknown>,
): Promise<string | undefined> {
  const variables = named(await query(VARIABLES));
  for (const name of ['read_only', 'super_read_only', 'innodb_read_only'])
    if (variables.has(name) && variables.get(name) !== 'OFF') return `${name} is on`;
  if (variables.get('wsrep_on') === 'ON') return ofGalera(named(await query(GALERA)));
  // Needs a grant on performance_schema. Without it a secondary is still found by its read_only.
  if (variables.get('group_replication_group_name'))
    return ofGroup((await query(GROUP).catch(() => [])) as Rows);
  return undefined;
}

function ofGalera(status: Map<string, string>): string | undefined {
  const cluster = status.get('wsrep_cluster_status');
  if (cluster !== 'Primary') return `the Galera node has no quorum: ${cluster}`;
  return status.get('wsrep_ready') === 'ON' ? undefined : 'the Galera node is not ready';
}

function ofGroup(members: Rows): string | undefined {
  const own = members.find((member) => Number(member.own) === 1);
  if (!own) return undefined;
  if (own.state !== 'ONLINE') return `the member of the group is ${String(own.state)}`;
  if (own.role !== 'PRIMARY') return `the member of the group is ${String(own.role)}`;
  const reachable = members.filter(({ state }) => state !== 'UNREACHABLE').length;
  return reachable * 2 > members.length ? undefined : 'the group has no quorum';
}

function named(rows: unknown): Map<string, string> {
  return new Map(
    (rows as Array<{ Variable_name: string; Value: string }>).map((row) => [
      row.Variable_name,
      row.Value,
    ]),
  );
}
