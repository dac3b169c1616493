import type { Answer } from '../api/client.js';
import type { Authenticator } from '../api/authenticator.js';
import type { BrowserSession } from '../api/browser-session.js';

export interface Player {
  readonly id: number;
  readonly account: string;
}

export interface SignIn {
  readonly player: Player;
  readonly token: string;
}

export interface Withdrawal {
  readonly signIn: SignIn;
  readonly key: string;
  readonly role: number;
  readonly amount: number;
  /** Holds the responses in the order of the requests. */
  readonly answers: Answer[];
  /** An operator began to settle the withdrawal with this status. */
  settledAs?: 'succeeded' | 'failed';
}

export interface AppOwner {
  readonly player: Player;
  readonly app: Authenticator;
  readonly usedCodes: string[];
  readonly usedRecoveryCodes: string[];
}

/** Lists the kinds of requests, and how many of each a phase needs before the upgrade goes on. */
export const KINDS = {
  'sign-in': 3,
  check: 20,
  entry: 10,
  chat: 10,
  refresh: 10,
  'second factor': 1,
  withdrawal: 8,
  'repeated withdrawal': 2,
  command: 1,
};
export type Kind = keyof typeof KINDS;

/** Records what the service promised in its responses, and how it responded. */
export class Promises {
  readonly signIns: SignIn[] = [];
  /** These browsers stay signed in and have not been used since the sign-in. */
  readonly restingBrowsers: BrowserSession[] = [];
  readonly busyBrowsers: BrowserSession[] = [];
  readonly withdrawals: Withdrawal[] = [];
  readonly appOwners: AppOwner[] = [];
  /** These players sign in only at the end, because each code works once. */
  readonly spareAppOwners: AppOwner[] = [];
  readonly chatIds: string[] = [];
  readonly entries = new Map<Player, number>();
  /** Counts the actions of operators, which `audit_event` records. */
  acts = 0;

  /** Holds the sign-ins and browsers that an instance refused at the end. */
  readonly refused = new Set<object>();
  readonly problems: string[] = [];
  requests = 0;
  serverErrors = 0;
  /** Holds the longest response times in milliseconds. A withdrawal may wait for a hanging game server. */
  readonly longest = { withdrawal: 0, other: 0 };
  private phase = '';
  private readonly counts = new Map<Kind, number>();

  begin(phase: string): void {
    this.phase = phase;
    this.counts.clear();
  }

  /** Returns whether the phase has had enough requests of every kind. */
  get isPhaseComplete(): boolean {
    return Object.entries(KINDS).every(([kind, count]) => this.countOf(kind as Kind) >= count);
  }

  /** Describes which kinds of requests the phase had, and how many of each. */
  describePhase(): string {
    return Object.keys(KINDS)
      .map((kind) => `${kind} ${this.countOf(kind as Kind)}`)
      .join(', ');
  }

  private countOf(kind: Kind): number {
    return this.counts.get(kind) ?? 0;
  }

  count(kind: Kind): void {
    this.counts.set(kind, this.countOf(kind) + 1);
  }

  /** Sends a request and returns the response if it is as expected. */
  async ask(
    kind: Kind,
    send: () => Promise<Answer>,
    isExpected: (answer: Answer) => boolean = ({ status }) => status === 200,
  ): Promise<Answer | undefined> {
    const began = performance.now();
    const answer = await send().catch((error: Error) => error);
    const which = kind === 'withdrawal' ? kind : 'other';
    this.longest[which] = Math.max(this.longest[which], performance.now() - began);
    this.requests++;
    if (answer instanceof Error) {
      const { message } = (answer.cause as Error | undefined) ?? answer;
      this.report(`no response to a request of kind ${kind}: ${message}`);
      return undefined;
    }
    if (isExpected(answer)) {
      this.count(kind);
      return answer;
    }
    if (answer.status >= 500) this.serverErrors++;
    this.report(
      `unexpected response to a request of kind ${kind}: ${answer.status} ${answer.text}`,
    );
    return undefined;
  }

  report(problem: string): void {
    this.problems.push(`${this.phase}: ${problem}`);
  }
}
