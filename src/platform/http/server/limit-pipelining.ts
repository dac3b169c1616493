import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

const MAX_IN_FLIGHT = 8;

interface Connection {
  inFlight: number;
  /** Already read together with others, but not started. */
  waiting: Array<() => void>;
}

/**
 * Handles a few requests of a connection at a time and stops reading from it meanwhile: otherwise a client that sends
 * thousands at once would keep everybody else waiting.
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  return (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = { inFlight: 0, waiting: [] }));
    const { waiting } = connection;
    const begin = () => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : waiting.shift();
        // Not at once: answers from memory would follow each other without a turn for other connections.
        if (next) setImmediate(next);
        else connection.inFlight--;
      });
      // The last request may still need its body.
      if (waiting.length === 0 && socket.isPaused()) socket.resume();
      handle(request, response);
    };
    if (connection.inFlight >= MAX_IN_FLIGHT) {
      waiting.push(begin);
      // After the rest of the data that was read: when a request ends, Node resumes reading.
      process.nextTick(() => socket.pause());
      return;
    }
    connection.inFlight++;
    begin();
  };
}
