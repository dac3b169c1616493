import type { TimelineEvent } from '../api/answers';
import type { Tone } from '../now/tones';

export interface TimelineLine {
  tone: Tone;
  /** `text` is a key under `timeline.`, and `values` fills its placeholders. */
  text: string;
  values: Record<string, string>;
  details: string[];
  device?: Partial<Record<'device' | 'os' | 'browse', unknown>>;
  link?: string;
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const said = (...values: unknown[]) => [...new Set(values.map(text).filter(Boolean))];

const deviceOf = ({ device, os, browse }: TimelineEvent) => ({ device, os, browse });

/**
 * Describes an event in one sentence. The sentence includes the typed name if it differs from the
 * account.
 */
export function lineOf(event: TimelineEvent, account?: string): TimelineLine {
  switch (event.kind) {
    case 'login':
      return ofLogin(event, account);
    case 'session':
      return {
        tone: 'quiet',
        text: event.ended_at ? 'sessionOver' : 'session',
        values: {},
        details: said(event.address),
        device: deviceOf(event),
      };
    case 'entry':
      return {
        tone: 'info',
        text: 'entry',
        values: { server: said(event.server_id, event.server).join(' '), times: text(event.times) },
        details: [],
      };
    case 'withdrawal':
      return ofWithdrawal(event);
    case 'link':
      return {
        tone: 'info',
        text: 'link',
        values: { provider: text(event.provider) },
        details: said(event.connect_id),
      };
    case 'mail':
      return ofMail(event);
    case 'change':
      return {
        tone: 'warn',
        text: 'change',
        values: { change: text(event.what) },
        details: said(event.detail, event.address, event.request_id),
      };
    case 'refusal':
      return {
        tone: 'bad',
        text: 'refusal',
        values: { request: text(event.request), outcome: text(event.outcome) },
        details: said(event.reason, event.address, event.request_id),
      };
    case 'act':
      return {
        tone: 'warn',
        text: 'act',
        values: { by: text(event.by) || text(event.operator_name), act: text(event.act) },
        details: said(event.note),
      };
    default:
      return { tone: 'quiet', text: 'other', values: { kind: event.kind }, details: [] };
  }
}

function ofLogin(event: TimelineEvent, account = ''): TimelineLine {
  const typed = text(event.typed);
  const isOther = typed.toLowerCase() !== account.toLowerCase();
  const isGood = event.outcome === 'ok';
  const tries = Number(event.tries ?? 1);
  return {
    tone: isGood ? 'good' : 'bad',
    text: isGood ? 'loginGood' : tries > 1 ? 'loginsBad' : 'loginBad',
    values: { way: text(event.way), outcome: text(event.outcome), tries: String(tries) },
    details: said(isOther && typed && `“${typed}”`, event.address, event.request_id),
    device: deviceOf(event),
  };
}

const MAIL_TEXTS: Record<string, string> = {
  uncertain: 'mailUncertain',
  failed: 'mailFailed',
  held_back: 'mailHeldBack',
};

function ofMail(event: TimelineEvent): TimelineLine {
  const unsent = MAIL_TEXTS[text(event.outcome)];
  return {
    tone: unsent ? 'warn' : 'info',
    text: unsent ?? 'mail',
    values: { what: text(event.what) },
    details: said(event.mailbox),
  };
}

function ofWithdrawal(event: TimelineEvent): TimelineLine {
  const tones: Record<string, Tone> = { succeeded: 'good', unknown: 'warn' };
  const id = text(event.id) || text(event.withdrawal_id);
  return {
    tone: tones[text(event.outcome)] ?? 'quiet',
    text: 'withdrawal',
    values: {
      id,
      amount: text(event.amount),
      role: text(event.role_name) || text(event.role_id),
      status: text(event.outcome),
    },
    details: said(event.reason, event.address),
    link: /^\d+$/.test(id) ? `/withdrawals/${id}` : undefined,
  };
}
