// This open-loop load generator sends requests at a fixed rate and measures each latency from the
// time the request was due. With `rate: 0` it is a closed loop, in which each connection sends its
// next request after a response. It also probes the health endpoints. The number of connections is
// fixed. Requests queue for a free connection, and the time in the queue counts as latency.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

const { url, file, rate, seconds, connections, outcomeFile } = JSON.parse(process.argv[2]);
const { hostname, port } = new URL(url);
const HEALTH_CONNECTIONS = 40;
const TIMEOUT_MS = 10_000;
const PROBE_EVERY_MS = 50;
const HEALTH = ['/api/health/live', '/api/health/ready'].map(
  (path) => `GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`,
);
const requests = readFileSync(file, 'utf8').split('\0');
const idle = { load: [], health: [] };
const queued = { load: [], health: [] };
const outcomes = { load: [], health: [] };
let pending = 0;

/** Opens a connection that sends one request at a time. */
async function open(kind) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const connection = { socket, job: undefined, read: '' };
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    connection.read += chunk;
    const end = connection.read.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(connection.read)?.[1] ?? 0);
    if (connection.read.length < end + 4 + length) return;
    finish(connection, Number(connection.read.slice(9, 12)));
    // nginx closes a connection after 1000 requests and announces this in the last response.
    const isLast = /\r\nconnection: close/i.test(connection.read);
    connection.read = '';
    if (isLast) return;
    const job = queued[kind].shift();
    if (job) assign(connection, job);
    else idle[kind].push(connection);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    idle[kind] = idle[kind].filter((other) => other !== connection);
    finish(connection, 0);
    void open(kind);
  });
  await once(socket, 'connect');
  const job = queued[kind].shift();
  if (job) assign(connection, job);
  else idle[kind].push(connection);
}

function finish(connection, status) {
  const { job } = connection;
  connection.job = undefined;
  if (!job) return;
  pending--;
  clearTimeout(job.timeout);
  const now = performance.now();
  outcomes[job.kind].push([Math.round(job.at - startedAt), status, now - job.at]);
  job.done?.();
}

function assign(connection, job) {
  connection.job = job;
  job.timeout = setTimeout(() => connection.socket.destroy(), TIMEOUT_MS);
  connection.socket.write(job.bytes);
}

function send(job) {
  pending++;
  // Takes the connection that has been idle longest, because nginx closes connections that never
  // sent a request.
  const connection = idle[job.kind].shift();
  if (connection) assign(connection, job);
  else queued[job.kind].push(job);
}

for (let count = 0; count < HEALTH_CONNECTIONS; count++) await open('health');
for (let count = 0; count < connections; count++) await open('load');

// Each run starts with a different player, because repeated logins of the same players are a
// different kind of load.
const first = Math.floor(Math.random() * requests.length);
let sent = first;
const next = () => requests[sent++ % requests.length];
const startedAt = performance.now();
const durationMs = seconds * 1000;

function probeHealth(number) {
  const at = startedAt + number * PROBE_EVERY_MS;
  if (at - startedAt >= durationMs) return;
  setTimeout(() => {
    send({ kind: 'health', at, bytes: HEALTH[number % HEALTH.length] });
    probeHealth(number + 1);
  }, at - performance.now());
}
probeHealth(0);

if (rate > 0) {
  const timer = setInterval(() => {
    const elapsed = Math.min(performance.now() - startedAt, durationMs);
    const last = first + Math.ceil((elapsed / 1000) * rate);
    for (let number = sent; number < last; number++)
      send({ kind: 'load', at: startedAt + ((number - first) / rate) * 1000, bytes: next() });
    if (elapsed === durationMs) clearInterval(timer);
  }, 1);
} else {
  const sendNext = () => {
    const at = performance.now();
    if (at - startedAt < durationMs) send({ kind: 'load', at, bytes: next(), done: sendNext });
  };
  for (let count = 0; count < connections; count++) sendNext();
}

setInterval(() => {
  if (performance.now() - startedAt < durationMs || pending > 0) return;
  writeFileSync(outcomeFile, JSON.stringify(outcomes));
  process.exit(0);
}, 20);
