import { newKey } from './new-key';
import { session } from './session';

const CHANNEL = 'gatehouse-session';
/** Tabs respond within a few milliseconds, unless the browser has suspended them. */
const ANSWERS_MS = 200;

type Handed = ReturnType<typeof session.handOver>;

interface Message {
  signedOut?: string;
  /** Identifies the question of a tab without a session. */
  question?: string;
  /** The message responds to the question with this key. */
  answerTo?: string;
  handed?: Handed;
}

// Only pages of this origin receive the channel's messages.
let channel: BroadcastChannel | undefined;

export function openChannel(onSignOut: (account: string) => void): void {
  if (!('BroadcastChannel' in window)) return;
  channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.signedOut) onSignOut(data.signedOut);
    if (data.question && session.isFresh())
      say({ answerTo: data.question, handed: session.handOver() });
  });
}

export function announceSignOut(account: string): void {
  say({ signedOut: account });
}

/**
 * Asks the other tabs for their session. Returns undefined if the other tabs have no session, or sessions of
 * several accounts.
 */
export async function askOtherTabs(): Promise<Handed | undefined> {
  if (!channel) return undefined;
  const answers: Handed[] = [];
  const question = newKey();
  const listen = ({ data }: MessageEvent<Message>) => {
    if (data.answerTo === question && data.handed) answers.push(data.handed);
  };
  channel.addEventListener('message', listen);
  say({ question });
  await new Promise((resolve) => setTimeout(resolve, ANSWERS_MS));
  channel.removeEventListener('message', listen);
  const isOne = new Set(answers.map(({ account }) => account)).size === 1;
  return isOne ? answers.toSorted((a, b) => b.expires_in - a.expires_in)[0] : undefined;
}

function say(message: Message): void {
  // Unlike a window's postMessage, a channel's has no parameter for the origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(message);
}
