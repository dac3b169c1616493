const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let stop: ((signal: NodeJS.Signals) => void) | undefined;
let stopping = false;

/**
 * Does this, and nothing of before, at the first signal to stop. Those that follow are taken and change nothing: npm
 * passes on a Ctrl-C that has reached us already, and systemd sends to the workers what their primary sends them too.
 */
export function onStopSignal(then: (signal: NodeJS.Signals) => void): void {
  // One listener for good: a signal that came, but was not yet told of, is lost with the listener it came for.
  if (!stop) for (const signal of SIGNALS) process.on(signal, stopOnce);
  stop = then;
}

function stopOnce(signal: NodeJS.Signals): void {
  if (stopping) return;
  stopping = true;
  stop?.(signal);
}
