import type { SMTPServerOptions } from 'smtp-server';
import { MailServer } from '../servers/smtp.js';
import { type AppOptions, startApp, type TestApp } from './app.js';

export interface MailApp extends TestApp {
  readonly mail: MailServer;
}

/** Starts the service with its own mail server; `stop` stops both. */
export async function startMailApp(
  { env, ...options }: AppOptions = {},
  mailOptions?: SMTPServerOptions,
): Promise<MailApp> {
  const mail = await MailServer.start(mailOptions);
  const service = await startApp({ ...options, env: { SMTP_URL: mail.url, ...env } });
  const stop = async () => {
    await service.stop();
    await mail.stop();
  };
  return { ...service, mail, stop };
}
