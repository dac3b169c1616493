import { MailEventLog } from '../../../src/platform/audit/mail-event-log.js';
import { type DeskUser, deskUser, startDesk, type TestDesk } from './desk.js';
import { type MailApp, startMailApp } from './mail-app.js';

/** Shows a player's page on the desk to a support operator. */
export class PlayerPage {
  private constructor(
    readonly service: MailApp,
    readonly desk: TestDesk,
    readonly support: DeskUser,
  ) {}

  static async start(): Promise<PlayerPage> {
    const service = await startMailApp(
      {
        settings: {
          login_throttle: {
            account_and_address: { failures: 5, window: 300, lock: 60, max_lock: 900 },
            address: { failures: 30, window: 600, lock: 600 },
            account: { failures: 3, window: 3600, lock: 900 },
          },
          verify: { cooldown: 1, per_hour: 100, per_day: 100, per_address_hour: 100 },
        },
      },
      {
        onRcptTo: ({ address }, _session, done) =>
          done(address.startsWith('full') ? new Error('no room') : null),
      },
    );
    const desk = await startDesk(service);
    return new PlayerPage(service, desk, await deskUser(desk, 'support'));
  }

  async stop(): Promise<void> {
    await this.desk.stop();
    await this.service.stop();
  }

  sendCode(email: string) {
    return this.service.client.post('/api/send_code', { email });
  }

  async mailsOf(id: number, user = this.support): Promise<Array<Record<string, unknown>>> {
    await this.service.app.get(MailEventLog).flush();
    const { body } = await user.get(`/api/players/${id}/timeline?kinds=mail`);
    return body.data.events;
  }
}
