import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CODE_ROOT } from '../../platform/config/build-info.js';
import { Settings } from '../../platform/config/settings.js';
import { THROWAWAY } from '../../platform/config/settings.schema.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';

const FILE = join(CODE_ROOT, 'features/verify/throwaway-domains.txt');

/** Applies the mail domain rules of the settings to mailboxes that are new to an account. */
@Injectable()
export class MailDomains {
  private throwaway?: Set<string>;

  constructor(private readonly settings: Settings) {}

  /** Looks only at the domain, so that the response is the same whether or not the mailbox has an account. */
  requireAccepted(email: string): void {
    const { mail_domains_denied: denied, mail_domains_allowed: allowed } =
      this.settings.current.registration;
    const domain = email.slice(email.lastIndexOf('@') + 1);
    const isIn = (entries: string[]) => entries.some((entry) => this.matches(entry, domain));
    if (isIn(denied) || (allowed.length > 0 && !isIn(allowed)))
      throw new InvalidRequest([
        { field: 'email', message: 'must be at a mail domain that is accepted here' },
      ]);
  }

  private matches(entry: string, domain: string): boolean {
    if (entry === THROWAWAY) return this.isThrowaway(domain);
    return entry.startsWith('*.') ? domain.endsWith(entry.slice(1)) : domain === entry;
  }

  /** Includes subdomains, because many throwaway services accept mail for any of their subdomains. */
  private isThrowaway(domain: string): boolean {
    this.throwaway ??= new Set(readFileSync(FILE, 'utf8').split('\n'));
    const labels = domain.split('.');
    return labels.some((_, first) => this.throwaway!.has(labels.slice(first).join('.')));
  }
}
