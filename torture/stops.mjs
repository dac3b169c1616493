// How an instance ends after SIGTERM. No fault but a freeze of the instance itself excuses one that has to be killed.

/** More than the 20 s that a supervisor waits: the machine may have no core for it. */
const KILLED_AFTER_MS = 40_000;
/** What the service says where its own deadline ended it, to which a call and a database that hang may take it. */
const DEADLINE = 'after the stop signal: exiting without finishing it';

export async function stopByItself(instance) {
  const status = await instance.stop('SIGTERM', KILLED_AFTER_MS);
  if (status === 0 || (status === 1 && instance.logs().includes(DEADLINE))) return;
  const error = new Error(`instance ${instance.name}: ${status}\n${instance.logs().slice(-2000)}`);
  throw Object.assign(error, { what: 'an instance did not stop as it should' });
}
