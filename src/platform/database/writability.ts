type Rows = Array<Record<string, unknown>>;

const VARIABLES = `SHOW GLOBAL VARIABLES WHERE Variable_name IN
  ('read_only', 'super_read_only', 'innodb_read_only', 'wsrep_on', 'group_replication_group_name')`;
const GALERA = `SHOW GLOBAL STATUS WHERE Variable_name IN
  ('wsrep_ready', 'wsrep_cluster_status', 'wsrep_local_state_comment')`;
const GROUP = `SELECT MEMBER_ID = @@server_uuid AS own, MEMBER_STATE AS state, MEMBER_ROLE AS role
  FROM performance_schema.replication_group_members`;

type Query = (sql: string) => Promise<unknown>;

export interface Writability {
  /** Why the server accepts no writes. */
  problem?: string;
  /** According to one of its variables; the server answers, but accepts no writes. */
  isReadOnly?: boolean;
  /** A Galera donor: with rsync, it claims to accept writes and lets them wait. */
  isDonor?: boolean;
  /** A cluster member, whose nodes all have what one of them wrote. */
  isClusterMember?: boolean;
}

/** Rejects if the server does not answer. */
export async function checkWritability(query: Query): Promise<Writability> {
  const variables = variablesByName(await query(VARIABLES));
  for (const name of ['read_only', 'super_read_only', 'innodb_read_only'])
    if (variables.has(name) && variables.get(name) !== 'OFF')
      return { problem: `${name} is on`, isReadOnly: true };
  if (variables.get('wsrep_on') === 'ON')
    return galeraWritability(variablesByName(await query(GALERA)));
  // Needs a grant on performance_schema. Without it a secondary is still recognised by its read_only.
  if (variables.get('group_replication_group_name'))
    return {
      problem: groupProblem((await query(GROUP).catch(() => [])) as Rows),
      isClusterMember: true,
    };
  return {};
}

/** Why the server accepts no writes, or undefined if it does. Rejects if it does not answer. */
export async function findWriteProblem(query: Query): Promise<string | undefined> {
  return (await checkWritability(query)).problem;
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
