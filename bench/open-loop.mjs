// Sends requests at a fixed rate, whatever becomes of them, as a crowd does: latency counts from the moment at which a
// request was due. With `rate: 0`, each connection sends its next when it is answered. Looks at health meanwhile. Like
// nginx, it has as many connections as it is told and keeps them: what finds none free waits, and that counts, too.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

const { url, file, rate, seconds, connections, outcomeFile } = JSON.parse(process.argv[2]);
const { hostname, port } = new URL(url);
const HEALTH_CONNECTIONS = 40;
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;
const HEALTH = ['/api/health/live', '/api/health/ready'].map(
  (path) => `GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`,
);
const requests = readFileSync(file, 'utf8').split('\0');
const idle = { load: [], health: [] };
const due = { load: [], health: [] };
const outcomes = { load: [], health: [] };
let pending = 0;

/** A connection that takes one request at a time. */
async function dial(kind) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const line = { socket, job: undefined, read: '' };
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    line.read += chunk;
    const end = line.read.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(line.read)?.[1] ?? 0);
    if (line.read.length < end + 4 + length) return;
    finish(line, Number(line.read.slice(9, 12)));
    // nginx ends a connection after its thousandth request, and says so.
    const isLast = /\r\nconnection: close/i.test(line.read);
    line.read = '';
    if (isLast) return;
    const job = due[kind].shift();
    if (job) give(line, job);
    else idle[kind].push(line);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    idle[kind] = idle[kind].filter((other) => other !== line);
    finish(line, 0);
    void dial(kind);
  });
  await once(socket, 'connect');
  const job = due[kind].shift();
  if (job) give(line, job);
  else idle[kind].push(line);
}

function finish(line, status) {
  const { job } = line;
  line.job = undefined;
  if (!job) return;
  pending--;
  clearTimeout(job.patience);
  const now = performance.now();
  outcomes[job.kind].push([Math.round(job.at - began), status, now - job.at]);
  job.done?.();
}

function give(line, job) {
  line.job = job;
  job.patience = setTimeout(() => line.socket.destroy(), PATIENCE_MS);
  line.socket.write(job.bytes);
}

function send(job) {
  pending++;
  // The one that was idle longest: nginx ends a connection that never sent anything.
  const line = idle[job.kind].shift();
  if (line) give(line, job);
  else due[job.kind].push(job);
}

for (let each = 0; each < HEALTH_CONNECTIONS; each++) await dial('health');
for (let each = 0; each < connections; each++) await dial('load');

// Not always the same players first: who signs in again and again is another load.
const first = Math.floor(Math.random() * requests.length);
let sent = first;
const next = () => requests[sent++ % requests.length];
const began = performance.now();
const lasts = seconds * 1000;

function look(number) {
  const at = began + number * LOOK_EVERY_MS;
  if (at - began >= lasts) return;
  setTimeout(() => {
    send({ kind: 'health', at, bytes: HEALTH[number % HEALTH.length] });
    look(number + 1);
  }, at - performance.now());
}
look(0);

if (rate > 0) {
  const pump = setInterval(() => {
    const elapsed = Math.min(performance.now() - began, lasts);
    const last = first + Math.ceil((elapsed / 1000) * rate);
    for (let number = sent; number < last; number++)
      send({ kind: 'load', at: began + ((number - first) / rate) * 1000, bytes: next() });
    if (elapsed === lasts) clearInterval(pump);
  }, 1);
} else {
  const again = () => {
    const at = performance.now();
    if (at - began < lasts) send({ kind: 'load', at, bytes: next(), done: again });
  };
  for (let each = 0; each < connections; each++) again();
}

setInterval(() => {
  if (performance.now() - began < lasts || pending > 0) return;
  writeFileSync(outcomeFile, JSON.stringify(outcomes));
  process.exit(0);
}, 20);
