import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { Environment } from '../config/environment.js';
import { MailUnavailable } from './mail.errors.js';
import { MailService } from './mail.service.js';

it('gives a mail server 10 seconds in all, also one that says a word now and then', async () => {
  const sockets: Socket[] = [];
  const dripping = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  const drip = setInterval(() => sockets.forEach((socket) => socket.write('220-wait\r\n')), 2000);
  await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve));
  const { port } = dripping.address() as AddressInfo;

  const environment = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@mail.example' };
  const service = new MailService(environment as Environment);
  const started = performance.now();
  const mail = { to: 'b@mail.example', subject: 'x', text: 'x', html: 'x' };
  await expect(service.send(mail)).rejects.toBeInstanceOf(MailUnavailable);
  const seconds = (performance.now() - started) / 1000;
  expect(seconds).toBeGreaterThan(9.5);
  expect(seconds).toBeLessThan(20);

  clearInterval(drip);
  for (const socket of sockets) socket.destroy();
  dripping.close();
});
