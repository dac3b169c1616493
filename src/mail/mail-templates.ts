import { Injectable } from '@nestjs/common';
import type { TemplateAdapter } from '@nestjs-modules/mailer';
import type { SendMailOptions } from 'nodemailer';
import { Environment } from '../config/environment.js';
import { FollowedTemplate } from './followed-template.js';
import type { MailKind, MailValues } from './mail-kind.js';

interface TemplatedMail {
  data: SendMailOptions & { template: string; context: MailValues };
}

/** Words the mails, from templates that operations can change while the service runs. */
@Injectable()
export class MailTemplates implements TemplateAdapter {
  private readonly followed = new Map<string, FollowedTemplate>();

  constructor(private readonly environment: Environment) {}

  /** A feature names each mail that it sends, so that a broken template is found before a mail needs it. */
  follow(kind: MailKind): void {
    this.followed.set(kind.name, new FollowedTemplate(kind, this.environment.mailTemplates));
  }

  /** Called by nodemailer for each mail, before it composes the message. */
  compile(mail: TemplatedMail, done: (error?: Error) => void): void {
    void this.fillIn(mail).then(() => done(), done); // oxlint-disable-line promise/no-callback-in-promise -- nodemailer waits for it
  }

  /** Whether every mail is sent as operations have worded it. */
  async areInUse(): Promise<boolean> {
    const inUse = await Promise.all(Array.from(this.followed.values(), (each) => each.isInUse()));
    return inUse.every(Boolean);
  }

  private async fillIn({ data }: TemplatedMail): Promise<void> {
    const template = this.followed.get(data.template);
    if (!template) throw new Error(`no feature has named the mail "${data.template}"`);
    Object.assign(data, await template.render(data.context));
  }
}
