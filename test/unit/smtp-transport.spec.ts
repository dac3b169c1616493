import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { createTransport } from 'nodemailer';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MailUnavailable } from '../../src/platform/mail/mail.errors.js';
import { SmtpTransport } from '../../src/platform/mail/smtp-transport.js';

const MAIL = { from: 'a@mail.example', to: 'b@mail.example', subject: 'x', text: 'x' };
const send = (url: string | undefined) => createTransport(new SmtpTransport(url)).sendMail(MAIL);

type Step = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'message';

/** Starts a server that never finishes its reply to the step `last` and calls `onStep` for each step. */
async function startStallingServer(last: Step, onStep: (step: Step) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    const answer = (step: Step, code: number) => {
      const isLast = step === last;
      // The client must not mistake continuation lines for progress.
      socket.write(`${code}${isLast ? '-wait' : ' go on'}\r\n`);
      onStep(step);
    };
    answer('greeting', 220);
    let inMessage = false;
    const lines = createInterface({ input: socket }).on('error', () => undefined);
    lines.on('line', (line) => {
      if (inMessage && line !== '.') return;
      const step = inMessage ? 'message' : (line.slice(0, 4) as Step);
      inMessage = step === 'DATA';
      answer(step, inMessage ? 354 : 250);
    });
  });
  const { port } = server.address() as AddressInfo;
  return { server, url: `smtp://127.0.0.1:${port}` };
}

describe('SmtpTransport with a slow mail server', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it.each<[Step, Partial<Record<Step, number>>, boolean]>([
    ['greeting', { greeting: 10 }, false],
    ['RCPT', { greeting: 3, EHLO: 3, MAIL: 3, RCPT: 1 }, false],
    ['DATA', { DATA: 10 }, false],
    ['message', { greeting: 2, EHLO: 2, MAIL: 2, RCPT: 2, DATA: 1, message: 1 }, true],
  ])('gives up after 10 s if the server stalls at %s', async (last, seconds, mayArrive) => {
    const reached: Step[] = [];
    const { server, url } = await startStallingServer(last, (step) => {
      reached.push(step);
      vi.advanceTimersByTime((seconds[step] ?? 0) * 1000);
    });
    const disconnected = new Promise((resolve) =>
      server.once('connection', (socket) => socket.once('close', resolve)),
    );
    const error = await send(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MailUnavailable);
    expect(error).toMatchObject({ mayArrive });
    await disconnected;
    expect(reached.at(-1)).toBe(last);
    server.close();
  });
});

describe('SmtpTransport', () => {
  const servers: SMTPServer[] = [];
  // smtp-server warns about its built-in certificate.
  beforeAll(() => vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterAll(() => {
    vi.restoreAllMocks();
    for (const server of servers) server.close();
  });

  async function start(options: SMTPServerOptions): Promise<{ port: number; users: string[] }> {
    const users: string[] = [];
    const server = new SMTPServer({
      onAuth: ({ username, password }, _session, done) =>
        done(password === 'p@ss' ? null : new Error('no'), { user: username }),
      onData: (stream, { user }, done) =>
        stream.resume().on('end', () => {
          users.push(user ?? '');
          done();
        }),
      ...options,
    });
    server.on('error', () => undefined);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, undefined, resolve));
    return { port: (server.server.address() as AddressInfo).port, users };
  }

  it.each([
    ['over TLS', 'smtps', '127.0.0.1', { secure: true }],
    ['with STARTTLS', 'smtp', '127.0.0.1', { secure: false }],
    ['to a server given by name', 'smtp', 'localhost', { secure: false }],
  ])('authenticates and delivers an e-mail %s', async (_, scheme, host, options) => {
    const { port, users } = await start(options);
    await send(`${scheme}://codes:p%40ss@${host}:${port}?tls.rejectUnauthorized=false`);
    expect(users).toEqual(['codes']);
  });

  it('sends nothing to a server with an untrusted certificate', async () => {
    const { port, users } = await start({ secure: true });
    await expect(send(`smtps://codes:p%40ss@127.0.0.1:${port}`)).rejects.toMatchObject({
      mayArrive: false,
    });
    expect(users).toEqual([]);
  });

  it('reports that nothing was sent if the server is unreachable or not configured', async () => {
    const { port } = await start({});
    await new Promise<void>((resolve) => servers.at(-1)!.close(resolve));
    for (const url of [`smtp://127.0.0.1:${port}`, undefined]) {
      const sent = send(url);
      await expect(sent).rejects.toBeInstanceOf(MailUnavailable);
      await expect(sent).rejects.toMatchObject({ mayArrive: false });
    }
  });
});
