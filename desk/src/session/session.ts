import { reactive } from 'vue';
import type { SessionAnswer } from '../api/answers';

/** Of a password that an operator chooses. */
export const MIN_PASSWORD_LENGTH = 12;

type Role = SessionAnswer['operator']['role'];

/** The signed-in operator. Only the browser has the cookie; this holds the token for our own requests. */
export const session = reactive({
  operator: null as SessionAnswer['operator'] | null,
  token: '',
  embedded: false,
  fourEyesAbove: 0,
  /** Why the sign-in page is shown. */
  ended: null as 'expired' | 'left' | null,

  begin(answer: SessionAnswer): void {
    this.operator = answer.operator;
    this.token = answer.token;
    this.embedded = answer.embedded ?? this.embedded;
    this.fourEyesAbove = answer.four_eyes_above ?? this.fourEyesAbove;
    this.ended = null;
  },

  end(why: 'expired' | 'left'): void {
    this.operator = null;
    this.token = '';
    this.ended = why;
  },
});

const CHAT: Role[] = ['moderator', 'admin'];

export const mayChat = () => isOne(CHAT);
export const maySettle = () => isOne(['treasury', 'admin']);
export const isAdmin = () => isOne(['admin']);

function isOne(roles: Role[]): boolean {
  return session.operator !== null && roles.includes(session.operator.role);
}
