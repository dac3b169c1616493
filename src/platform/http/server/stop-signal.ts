const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let onStop: ((signal: NodeJS.Signals) => void) | undefined;
let stopping = false;

/**
 * Replaces the action for the first stop signal; later signals are ignored: npm forwards a Ctrl-C that we already got,
 * and systemd signals every process of the unit. A stop that hangs has its own deadline.
 */
export function onStopSignal(handler: (signal: NodeJS.Signals) => void): void {
  // One permanent listener: removing one loses a signal that has arrived but was not yet delivered.
  if (!onStop) for (const signal of SIGNALS) process.on(signal, stopOnce);
  onStop = handler;
}

function stopOnce(signal: NodeJS.Signals): void {
  if (stopping) return;
  stopping = true;
  onStop?.(signal);
}
