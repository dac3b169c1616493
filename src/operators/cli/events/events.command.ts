import { Injectable } from '@nestjs/common';
import { type ListOptions, parseSince } from '../arguments.js';
import type { Report } from '../command.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { auditReport, guessesReport, loginsReport, registrationsReport } from './event-report.js';

export interface LoginFilter {
  since?: Date;
  address?: string;
  outcome?: string;
  request?: string;
}

export interface AuditFilter {
  since?: Date;
  subject?: string;
  who?: string;
}

/** What people ask about sign-ins and acts on a terminal. */
@Injectable()
export class EventsCommand {
  constructor(private readonly search: EventSearch) {}

  async logins({ limit, before, since, ...filter }: ListOptions & LoginFilter): Promise<Report> {
    const { address, outcome, request } = filter;
    const isNarrow = (address ?? request) !== undefined;
    const data = await this.search.logins({
      limit,
      before: before?.toString(),
      since: since ?? (isNarrow ? undefined : parseSince('1h')),
      address,
      outcome,
      request,
    });
    return { text: loginsReport(data), data };
  }

  async guesses(since = parseSince('1h')): Promise<Report> {
    const accounts = await this.search.guesses('player_id', since);
    const addresses = await this.search.guesses('address', since);
    return { text: guessesReport(accounts, addresses), data: { accounts, addresses } };
  }

  async registrations(since = parseSince('1d')): Promise<Report> {
    const data = await this.search.registrations(since);
    return { text: registrationsReport(data), data };
  }

  async audit({ limit, before, since, ...filter }: ListOptions & AuditFilter): Promise<Report> {
    const { subject, who } = filter;
    const span = { limit, before: before?.toString(), since };
    const data = await this.search.audit({ ...span, subject, by: who });
    return { text: auditReport(data), data };
  }
}
