import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MailUnavailable } from '../../src/platform/mail/mail.errors.js';
import { SmtpTransport } from '../../src/platform/mail/smtp-transport.js';
import { SlowMailServer } from '../support/servers/slow-mail-server.js';
import { until } from '../support/until.js';

const MAIL = { from: 'a@mail.example', to: 'b@mail.example', subject: 'x', text: 'x' };
const send = (url: string | undefined) => createTransport(new SmtpTransport(url)).sendMail(MAIL);

describe.concurrent('a mail server that is slow', () => {
  it.each([
    ['with its greeting', { greeting: 14 }, 'greeting', false],
    ['with each step', { greeting: 2, EHLO: 2, MAIL: 2, RCPT: 8 }, 'RCPT', false],
    ['with its answer to DATA', { DATA: 14 }, 'DATA', false],
    ['with the message', { greeting: 1, EHLO: 1, MAIL: 1, RCPT: 1, message: 8 }, 'message', true],
  ])('%s is cut off after 10 s', async (_, seconds, step, mayArrive) => {
    const server = await SlowMailServer.start(seconds);
    const started = performance.now();
    const error = await send(server.url).catch((thrown: unknown) => thrown);
    const took = (performance.now() - started) / 1000;
    expect(error).toBeInstanceOf(MailUnavailable);
    expect(error).toMatchObject({ mayArrive });
    expect(took).toBeGreaterThan(9.5);
    expect(took).toBeLessThan(20);
    await until(() => server.open === 0, { within: 1000 });
    expect(server.reached.at(-1)).toBe(step);
    expect(server.delivered).toBe(0);
    server.stop();
  });
});

describe('a mail server', () => {
  const servers: SMTPServer[] = [];
  // smtp-server warns about the certificate that it brings along.
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
    ['found by its name', 'smtp', 'localhost', { secure: false }],
  ])('%s takes a mail of a user who signs in', async (_, scheme, host, options) => {
    const { port, users } = await start(options);
    await send(`${scheme}://codes:p%40ss@${host}:${port}?tls.rejectUnauthorized=false`);
    expect(users).toEqual(['codes']);
  });

  it('gets no mail over a certificate that nobody vouches for', async () => {
    const { port, users } = await start({ secure: true });
    await expect(send(`smtps://codes:p%40ss@127.0.0.1:${port}`)).rejects.toMatchObject({
      mayArrive: false,
    });
    expect(users).toEqual([]);
  });

  it('that is not there, or not set, leaves nothing that may arrive', async () => {
    const { port } = await start({});
    await new Promise<void>((resolve) => servers.at(-1)!.close(resolve));
    for (const url of [`smtp://127.0.0.1:${port}`, undefined]) {
      const sent = send(url);
      await expect(sent).rejects.toBeInstanceOf(MailUnavailable);
      await expect(sent).rejects.toMatchObject({ mayArrive: false });
    }
  });
});
