import type { LoginEvent } from './login-event.entity.js';

/** A sign-in as its request describes it: a row of `login_event` without its id. */
export type NewLoginEvent = Omit<LoginEvent, 'id' | 'createdAt'> & { time: number };

const MAX_NAME = 64;
const MAX_DEVICE = 128;
const PLAIN = /^[\x20-\x7e]*$/;

export function truncateName(typed: unknown): string | null {
  return typeof typed === 'string' ? printable(typed, MAX_NAME) : null;
}

/** The form's description of the device, else the browser's. */
export function loginDeviceLabel(body: unknown, userAgent: string | undefined): string | null {
  const { device, os, browse } = Object(body) as Record<string, unknown>;
  const said = [device, os, browse].filter((part) => typeof part === 'string' && part !== '');
  const text = said.length > 0 ? said.join(', ') : userAgent;
  return text ? printable(text, MAX_DEVICE) : null;
}

/** Shown on terminals: no control characters chosen by a stranger. */
function printable(text: string, longest: number): string {
  if (PLAIN.test(text)) return text.slice(0, longest);
  // The form's text is limited in bytes, not yet in characters.
  const head = text.slice(0, longest * 2).replaceAll(/\p{C}/gu, '·');
  return Array.from(head).slice(0, longest).join('');
}
