import { Injectable } from '@nestjs/common';
import { type ListOptions, parseSince } from '../arguments.js';
import type { Report } from '../command.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { RequestSearch } from '../../actions/events/request-search.js';
import { auditReport, guessesReport, loginsReport, registrationsReport } from './event-report.js';
import { requestReport } from './request-report.js';

interface LoginFilter {
  since?: Date;
  address?: string;
  outcome?: string;
}

interface AuditFilter {
  since?: Date;
  subject?: string;
  who?: string;
  act?: string;
}

const SUBJECT_HINT = ' A subject looks like "player 42"; gatehouse player show prints the id.';

/** Queries about sign-ins and acts, for terminals. */
@Injectable()
export class EventsCommand {
  constructor(
    private readonly search: EventSearch,
    private readonly requests: RequestSearch,
  ) {}

  async logins({ limit, before, since, ...filter }: ListOptions & LoginFilter): Promise<Report> {
    const { address, outcome } = filter;
    const data = await this.search.logins({
      limit,
      before: before?.toString(),
      since: since ?? (address === undefined ? parseSince('1h') : undefined),
      address,
      outcome,
    });
    return { text: loginsReport(data), data };
  }

  async request(id: string): Promise<Report> {
    const data = await this.requests.find(id);
    return { text: requestReport(data), data };
  }

  async guesses({ since = parseSince('1h') }): Promise<Report> {
    const accounts = await this.search.guesses('player_id', since);
    const addresses = await this.search.guesses('address', since);
    return { text: guessesReport(accounts, addresses), data: { accounts, addresses } };
  }

  async registrations({ since = parseSince('1d') }): Promise<Report> {
    const data = await this.search.registrations(since);
    return { text: registrationsReport(data), data };
  }

  async audit({ limit, before, since, ...filter }: ListOptions & AuditFilter): Promise<Report> {
    const { subject, who, act } = filter;
    const span = { limit, before: before?.toString(), since };
    const data = await this.search.audit({
      ...span,
      subjects: subject === undefined ? undefined : [subject],
      act,
      by: who,
    });
    const isUnknown = subject !== undefined && data.length === 0;
    return { text: `${auditReport(data)}${isUnknown ? SUBJECT_HINT : ''}`, data };
  }
}
