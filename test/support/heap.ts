import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is really in use, in MB. */
export function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
