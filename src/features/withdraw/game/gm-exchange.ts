import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Socket } from 'node:net';

const MAX_RESPONSE_BYTES = 64 * 1024;

export interface GmAddress {
  host: string;
  port: number;
  path: string;
}

/** A reason not to send, checked until the first byte. */
export type PreSendCheck = () => string | undefined;

/** not_sent: no byte left this machine. unknown: it may have arrived. */
type GmExchangeResult =
  | { kind: 'answered'; status: number | undefined; body: Buffer }
  | { kind: 'not_sent' | 'unknown'; evidence: string };

/**
 * One request on its own connection. Not `fetch`, which cannot distinguish a time-out while connecting, when nothing
 * was sent, from a later one, and may reuse a connection that the other side is just closing.
 */
export function exchangeWithGm(
  { host, port, path }: GmAddress,
  form: string,
  timeoutMs: number,
  stop: AbortSignal = new AbortController().signal,
  preSendCheck: PreSendCheck = () => undefined,
): Promise<GmExchangeResult> {
  return new Promise((resolve) => {
    let outgoing: ClientRequest | undefined;
    let incomingResponse: IncomingMessage | undefined;
    let ended = false;
    let expired: string | undefined;
    const end = (result: GmExchangeResult) => {
      ended = true;
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
      resolve(result);
      // Data that the kernel has not delivered yet must not be sent after we gave up.
      if (result.kind === 'unknown') socket.resetAndDestroy();
      else socket.destroy();
      outgoing?.destroy();
    };
    const fail = (evidence: string) => end({ kind: outgoing ? 'unknown' : 'not_sent', evidence });
    const onStop = () => fail('the service was stopped');
    /** Timers run before the socket is read: data that arrived while the process was frozen is read first. */
    const expire = (evidence: string, seen: number) =>
      setImmediate(() => {
        if (ended) return;
        if (socket.bytesRead > seen) expire(evidence, socket.bytesRead);
        else fail(evidence);
      });
    const timer = setTimeout(() => {
      expired = `no answer within ${timeoutMs / 1000} s`;
      expire(expired, socket.bytesRead);
    }, timeoutMs);

    const socket = new Socket();
    socket.on('error', (error) => {
      // Anything after a complete answer changes nothing.
      if (!ended && !incomingResponse?.complete) fail(error.message || error.name);
    });
    const problem = stop.aborted ? 'the service was stopped' : preSendCheck();
    if (problem !== undefined) return fail(problem);
    stop.addEventListener('abort', onStop);
    const onConnect = () => {
      const reason = expired ?? preSendCheck();
      if (ended) return;
      if (reason !== undefined) return fail(reason);
      try {
        outgoing = post({ host, port, path }, form, socket);
      } catch (error) {
        return fail((error as Error).message);
      }
      outgoing.on('error', (error) => {
        if (!ended && !incomingResponse?.complete) fail(error.message || error.name);
      });
      outgoing.on('response', (incoming) => {
        incomingResponse = incoming;
        readBody(
          incoming,
          (body) => ended || end({ kind: 'answered', status: incoming.statusCode, body }),
          (evidence) => ended || fail(evidence),
        );
      });
    };
    try {
      socket.connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port, noDelay: true }, onConnect);
    } catch (error) {
      // Node throws on an invalid port, which a table without checks may hold.
      fail((error as Error).message);
    }
  });
}

function post({ host, port, path }: GmAddress, form: string, socket: Socket): ClientRequest {
  const outgoing = request({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    path,
    method: 'POST',
    createConnection: () => socket,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(form),
    },
  });
  outgoing.end(form);
  return outgoing;
}

/** Event handlers, because awaiting each part takes longer than the rest of the exchange. */
function readBody(
  incoming: IncomingMessage,
  onComplete: (body: Buffer) => void,
  onFailure: (evidence: string) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) onFailure('the answer is larger than 64 KiB');
    else chunks.push(chunk);
  });
  incoming.on('end', () => onComplete(Buffer.concat(chunks)));
  incoming.on('error', (error) => onFailure(error.message));
  // Nothing after the end matters.
  incoming.on('close', () => onFailure('the answer broke off'));
}
