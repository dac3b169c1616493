import { reactive } from 'vue';
import type { SessionAnswer } from '../api/answers';

export const MIN_PASSWORD_LENGTH = 12;

type Role = SessionAnswer['operator']['role'];

/** Holds the operator and the token that requests must contain. Scripts cannot read the session cookie. */
export const session = reactive({
  operator: null as SessionAnswer['operator'] | null,
  token: '',
  embedded: false,
  fourEyesAbove: 0,
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
