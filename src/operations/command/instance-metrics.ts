const PATIENCE_MS = 5000;

/** Reads the metrics of an instance. Gives null for each where we may not, or it has none of that name. */
export async function metricsOf(
  url: string,
): Promise<(name: string, label?: string) => number | null> {
  const text = await fetch(new URL('/api/metrics', url), {
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'manual',
  }).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  );
  const values = new Map(text.split('\n').map((line) => line.split(' ', 2) as [string, string]));
  return (name, label) => {
    const value = values.get(label === undefined ? name : `${name}{${label}}`);
    return value === undefined ? null : Number(value);
  };
}
