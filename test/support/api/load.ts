import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';

interface Load {
  readonly refused: number[];
  /**
   * Lists requests whose connection broke. Closing a listening socket resets connections that only the kernel had
   * accepted, so only a request that the service had begun to serve counts as lost.
   */
  readonly unanswered: string[];
  answered: number;
  /** Resolves once every client has had a new connection refused. */
  readonly done: Promise<void>;
}

/** Starts clients that send requests over kept-alive connections until a new connection is refused. */
export function startLoad(url: string, clients: number): Load {
  const load = { refused: [], unanswered: [], answered: 0, done: Promise.resolve() } as Load;
  const all = Array.from({ length: clients }, () => client(url, load));
  return Object.assign(load, { done: Promise.all(all).then(() => undefined) });
}

async function client(url: string, load: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const id = randomUUID();
    const outcome = await ask(url, agent, id);
    if (outcome === 'ECONNREFUSED') break;
    if (outcome === 200) load.answered++;
    else if (typeof outcome === 'number') load.refused.push(outcome);
    else load.unanswered.push(id);
  }
  agent.destroy();
}

/** Returns the status, or the code of the error that ended the connection. */
function ask(url: string, agent: Agent, id: string): Promise<number | string> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    const request = get(url, { agent, headers: { 'X-Request-Id': id } }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode!));
      response.once('error', fail);
    });
    request.once('error', fail);
  });
}
