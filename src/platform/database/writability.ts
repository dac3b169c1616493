type Rows = Array<Record<string, unknown>>;

const VARIABLES = `SHOW GLOBAL VARIABLES WHERE Variable_name IN
  ('read_only', 'super_read_only', 'innodb_read_only', 'wsrep_on', 'group_replication_group_name')`;
const GALERA = `SHOW GLOBAL STATUS WHERE Variable_name IN
  ('wsrep_ready', 'wsrep_cluster_status', 'wsrep_local_state_comment')`;
const GROUP = `SELECT MEMBER_ID = @@server_uuid AS own, MEMBER_STATE AS state, MEMBER_ROLE AS role
  FROM performance_schema.replication_group_members`;

type Query = (sql: string) => Promise<unknown>;

export interface Writability {
  problem?: string;
  /** This is true if the server responds, but one of its read-only variables is on. */
  isReadOnly?: boolean;
  /** This is true for a Galera donor, which claims to accept writes but, with rsync, blocks them. */
  isDonor?: boolean;
  /** This is true for a node of a cluster, whose nodes all have the same data. */
  isClusterMember?: boolean;
}

/** Throws if the server does not respond. */
export async function checkWritability(query: Query): Promise<Writability> {
  const variables = variablesByName(await query(VARIABLES));
  for (const name of ['read_only', 'super_read_only', 'innodb_read_only'])
    if (variables.has(name) && variables.get(name) !== 'OFF')
      return { problem: `${name} is on`, isReadOnly: true };
  if (variables.get('wsrep_on') === 'ON')
    return galeraWritability(variablesByName(await query(GALERA)));
  // This query needs a grant on performance_schema. Without it, a secondary is still recognised by read_only.
  if (variables.get('group_replication_group_name'))
    return {
      problem: groupProblem((await query(GROUP).catch(() => [])) as Rows),
      isClusterMember: true,
    };
  return {};
}

const DURABILITY = `SHOW GLOBAL VARIABLES WHERE Variable_name IN
  ('innodb_flush_log_at_trx_commit', 'log_bin', 'sync_binlog')`;

/**
 * Returns which setting could lose commits in a crash. A lost withdrawal would be deducted again when its client
 * repeats it. With a binary log, a restarting server rolls back commits that are missing from that log.
 */
export async function findDurabilityProblem(query: Query): Promise<string | undefined> {
  const variables = variablesByName(await query(DURABILITY));
  const needed = ['innodb_flush_log_at_trx_commit'];
  if (variables.get('log_bin') === 'ON') needed.push('sync_binlog');
  const risky = needed.filter((name) => (variables.get(name) ?? '1') !== '1');
  if (risky.length === 0) return undefined;
  const found = risky.map((name) => `${name} is ${variables.get(name)}`).join(' and ');
  return `the account database may lose its last commits in a crash, and withdrawals may be deducted twice: ${found}, but should be 1`;
}

function galeraWritability(status: Map<string, string>): Writability {
  const cluster = status.get('wsrep_cluster_status');
  if (cluster !== 'Primary') return { problem: `the Galera node has no quorum: ${cluster}` };
  if (status.get('wsrep_ready') !== 'ON') return { problem: 'the Galera node is not ready' };
  const isDonor = status.get('wsrep_local_state_comment') === 'Donor/Desynced';
  return { isDonor, isClusterMember: true };
}

function groupProblem(members: Rows): string | undefined {
  const own = members.find((member) => Number(member.own) === 1);
  if (!own) return undefined;
  if (own.state !== 'ONLINE') return `the member of the group is ${String(own.state)}`;
  if (own.role !== 'PRIMARY') return `the member of the group is ${String(own.role)}`;
  const reachable = members.filter(({ state }) => state !== 'UNREACHABLE').length;
  return reachable * 2 > members.length ? undefined : 'the group has no quorum';
}

function variablesByName(rows: unknown): Map<string, string> {
  return new Map(
    (rows as Array<{ Variable_name: string; Value: string }>).map((row) => [
      row.Variable_name,
      row.Value,
    ]),
  );
}
