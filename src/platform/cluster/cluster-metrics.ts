import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

const REQUEST = 'gatehouse:metrics?';
const TIMEOUT_MS = 5000;
const ANSWER = 'gatehouse:metrics';

interface MetricsMessage {
  type: typeof REQUEST | typeof ANSWER;
  text?: string;
}

/** In the primary: collects the metrics of all workers, and its own, for the one that was scraped. */
export function answerMetricsRequests(own: Registry): void {
  const all = new AggregatorRegistry();
  const collect = async () => `${await all.clusterMetrics()}${await own.metrics()}`;
  cluster.on('message', (worker, message: MetricsMessage) => {
    if (message.type !== REQUEST) return;
    const answer = (text?: string) => worker.send({ type: ANSWER, text } satisfies MetricsMessage);
    collect().then(answer, () => answer());
  });
}

/** The metrics of the whole instance, whichever worker was scraped. */
export async function collectMetrics(own: Registry): Promise<string> {
  if (!cluster.isWorker) return own.metrics();
  return (await requestFromPrimary()) ?? own.metrics();
}

/** In a worker: lets the primary read this registry. */
export function exposeToPrimary(registry: Registry): void {
  if (!cluster.isWorker) return;
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}

function requestFromPrimary(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const listen = (message: MetricsMessage) => {
      if (message.type !== ANSWER) return;
      end(message.text);
    };
    const end = (text?: string) => {
      clearTimeout(timer);
      process.off('message', listen);
      resolve(text);
    };
    const timer = setTimeout(end, TIMEOUT_MS);
    process.on('message', listen);
    process.send?.({ type: REQUEST } satisfies MetricsMessage);
  });
}
