import { Agent, get } from 'node:http';

export interface Load {
  /** Requests that were sent and not answered as they should be. */
  readonly broken: string[];
  answered: number;
  /** Resolves once every client has come to its end. */
  readonly done: Promise<void>;
}

/** Clients that ask again and again over connections they keep, each until it is refused a new connection. */
export function startLoad(url: string, clients: number): Load {
  const load = { broken: [] as string[], answered: 0, done: Promise.resolve() };
  load.done = Promise.all(Array.from({ length: clients }, () => client(url, load))).then(
    () => undefined,
  );
  return load;
}

async function client(url: string, load: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const outcome = await ask(url, agent);
    if (outcome === 'refused') break;
    if (outcome === 'answered') load.answered++;
    else load.broken.push(outcome);
  }
  agent.destroy();
}

function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve(response.statusCode === 200 ? 'answered' : `${response.statusCode}`),
      );
      response.once('error', (error) => resolve(error.message));
    });
    // Nothing is broken when there was no connection to send a request over.
    request.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : error.message),
    );
  });
}
