import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import type { MailKind, MailValues } from './mail-kind.js';
import type { MailContent } from './mail-template.js';
import { ReloadingTemplate } from './reloading-template.js';

/** Renders the mails from templates that operators can override while the service runs. */
@Injectable()
export class MailTemplates {
  private readonly templates = new Map<string, ReloadingTemplate>();

  constructor(private readonly environment: Environment) {}

  register(kind: MailKind): void {
    this.templates.set(kind.name, new ReloadingTemplate(kind, this.environment.mailTemplates));
  }

  async render({ name }: MailKind, values: MailValues): Promise<MailContent> {
    const template = this.templates.get(name);
    if (!template) throw new Error(`no feature has named the mail "${name}"`);
    return template.render(values);
  }

  /** Whether every mail uses the operators' templates. */
  async areValid(): Promise<boolean> {
    const valid = await Promise.all(Array.from(this.templates.values(), (each) => each.isValid()));
    return valid.every(Boolean);
  }
}
