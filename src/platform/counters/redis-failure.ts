/** The meaning of a Redis failure, in an operator's words. A pattern may match anywhere, because Lua wraps errors. */
const MEANINGS: Array<[RegExp, string]> = [
  [/Too many Cluster redirections/, 'the nodes of the cluster disagree about who has which keys'],
  [/\bREADONLY\b/, 'it is a replica and takes no writes'],
  [/\bLOADING\b/, 'it is still loading its data'],
  [/\bMASTERDOWN\b/, 'it is a replica that has lost its master'],
  [/\bNOREPLICAS\b/, 'it takes no writes while it has too few replicas (min-replicas-to-write)'],
  [/\bCLUSTERDOWN\b/, 'the cluster is down: some of its keys have no master'],
  [/\b(MOVED|ASK) \d/, 'it is a node of a cluster: REDIS_URL must begin with redis+cluster://'],
  [/cluster support disabled/, 'it is no cluster: REDIS_URL must begin with redis://'],
  [/\bOOM\b/, 'it is out of memory and takes no writes (maxmemory)'],
  [/\bMISCONF\b/, 'it cannot save to its disk and takes no writes'],
  [/\bWRONGPASS\b|invalid password/, 'it refuses the user name or the password'],
  [/\bNOAUTH\b/, 'it asks for a password'],
  [
    /sentinel \S+ successfully, but got an invalid reply/,
    'no sentinel knows a master of that name',
  ],
  [/\bECONNREFUSED\b/, 'nothing listens there'],
  [/\b(ENOTFOUND|EAI_AGAIN)\b/, 'its host name is not known'],
  [/\b(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b|timed out/, 'it cannot be reached'],
  [/certificate/i, 'its certificate is not trusted'],
  [/wrong version number|packet length too long/, 'it does not speak TLS'],
  [
    /max retries per request|Connection is closed|connection close|isn't writeable|isn't ready|ECONNRESET|EPIPE|startup nodes/,
    'it closed the connection',
  ],
];
// Redis' own message says which command or key it is about.
const QUOTED_AS_IS = /\bNOPERM\b/;

export function describeRedisFailure(failure: unknown): string {
  const { lastNodeError } = failure as { lastNodeError?: Error };
  const { message } = lastNodeError ?? (failure as Error);
  if (QUOTED_AS_IS.test(message)) return `its user lacks a permission: ${message}`;
  const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(message)) ?? [];
  if (!meaning) return message;
  return /nothing|known|reached|certificate|TLS/.test(meaning)
    ? `${meaning} (${message})`
    : meaning;
}
