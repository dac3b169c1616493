// Stops an instance with SIGTERM. The instance must exit without SIGKILL, whatever other faults are active.

/** A supervisor waits for 20 s. This time is longer, because the machine may be busy. */
const KILLED_AFTER_MS = 40_000;
/** The service logs this message if a hanging call or database makes it reach its own deadline. */
const DEADLINE = 'after the stop signal: exiting without finishing it';

export async function stopByItself(instance) {
  const status = await instance.stop('SIGTERM', KILLED_AFTER_MS);
  if (status === 0 || (status === 1 && instance.logs().includes(DEADLINE))) return;
  const error = new Error(`instance ${instance.name}: ${status}\n${instance.logs().slice(-2000)}`);
  throw Object.assign(error, { what: 'an instance did not stop as it should' });
}
