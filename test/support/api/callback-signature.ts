import { createHash, createHmac } from 'node:crypto';

interface Call {
  method: string;
  path: string;
  body?: string;
  secret: string;
  time?: number;
}

/** Returns the headers of a game server's signed call. */
export function signatureHeaders({ method, path, body = '', secret, time }: Call) {
  const timestamp = String(time ?? Math.floor(Date.now() / 1000));
  const digest = createHash('sha256').update(body).digest('hex');
  const signature = createHmac('sha256', secret)
    .update(`${timestamp}\n${method}\n${path}\n${digest}`)
    .digest('hex');
  return { 'X-Timestamp': timestamp, 'X-Signature': signature };
}
