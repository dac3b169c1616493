const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Does this, and nothing of before, at the first signal to stop. Those that follow are taken and change nothing: npm
 * passes on a Ctrl-C that has reached us already, and systemd sends to the workers what their primary sends them too.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let stopping = false;
  const first = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    stop(signal);
  };
  for (const signal of SIGNALS) process.removeAllListeners(signal).on(signal, first);
}
