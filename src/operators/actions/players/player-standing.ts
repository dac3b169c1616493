import type { Player } from '../../../platform/auth/player.entity.js';
import { endOfPause } from '../../../platform/config/time.js';
import type { ListedBan } from './player-bans.js';
import type { SignInLock } from './sign-in-locks.js';

/** Names a fact that decides what a player can do. The command and the desk have a text for each name. */
export type StandingFactName =
  | 'closed'
  | 'disabled'
  | 'banned'
  | 'no_password'
  | 'no_way_in'
  | 'locked'
  | 'second_step_locked'
  | 'locked_at'
  | 'banned_from_withdrawals'
  | 'paused'
  | 'withdrawals_off'
  | 'closing'
  | 'second_factor'
  | 'mailbox_changed'
  | 'only_known_addresses'
  | 'others_locked'
  | 'locks_unseen';

export interface StandingFact {
  name: StandingFactName;
  /** The fact began or will end at this time. Null means that there is no such time. */
  at: Date | null;
  /** The detail is a ban's reason, an address, a number of addresses, or the replaced e-mail address. */
  detail: string | null;
}

/** Says whether a player can sign in and withdraw now. */
export interface PlayerStanding {
  canSignIn: boolean;
  canWithdraw: boolean;
  /** These facts prevent the player from signing in or withdrawing. */
  because: StandingFact[];
  /** An operator should know these other facts, although they prevent neither sign-ins nor withdrawals. */
  also: StandingFact[];
}

interface StandingInput {
  player: Player;
  bans: ListedBan[];
  hasPassword: boolean;
  /** The player can sign in without a password, with a linked identity or a passkey. */
  hasOtherWayIn: boolean;
  isSignedIn: boolean;
  replacedMailbox: string | null;
  locks: SignInLock[];
  locksAreShared: boolean;
  /** Lists the addresses of the player's sign-ins in the last 30 days. Guesses from elsewhere do not lock these. */
  knownAddresses: string[];
  withdraw: { enabled: boolean; pause_hours: number };
  now: number;
}

export function findStanding(input: StandingInput): PlayerStanding {
  const { player, isSignedIn } = input;
  if (player.closedAt) return neither(fact('closed', player.closedAt));
  const locks = lockFacts(input);
  const shutOut = shutOutFacts(input);
  const signIn = [...shutOut, ...passwordFacts(input), ...locks.because];
  const withdraw = withdrawalFacts(input);
  const canSignIn = signIn.length === 0;
  return {
    canSignIn,
    canWithdraw: shutOut.length === 0 && withdraw.length === 0 && (canSignIn || isSignedIn),
    because: [...signIn, ...withdraw],
    also: [...accountFacts(input), ...locks.also],
  };
}

function fact(name: StandingFactName, at: Date | null = null, detail: string | null = null) {
  return { name, at, detail };
}

function neither(why: StandingFact): PlayerStanding {
  return { canSignIn: false, canWithdraw: false, because: [why], also: [] };
}

/** Returns the facts that also end existing sessions. */
function shutOutFacts({ player, bans }: StandingInput): StandingFact[] {
  return [
    ...(player.disabledAt ? [fact('disabled', player.disabledAt)] : []),
    ...banFacts('banned', bans, 'all'),
  ];
}

function banFacts(name: StandingFactName, bans: ListedBan[], wanted: ListedBan['scope']) {
  return bans
    .filter(({ inForce, scope }) => inForce && scope === wanted)
    .map(({ until, reason }) => fact(name, until, reason));
}

function passwordFacts({ player, hasPassword, hasOtherWayIn }: StandingInput): StandingFact[] {
  if (hasPassword || hasOtherWayIn) return [];
  return [fact(player.email === null ? 'no_way_in' : 'no_password')];
}

function withdrawalFacts({ player, bans, withdraw, now }: StandingInput): StandingFact[] {
  const { withdrawPausedAt } = player;
  const pauseEnds = withdrawPausedAt && endOfPause(withdrawPausedAt, withdraw.pause_hours);
  return [
    ...banFacts('banned_from_withdrawals', bans, 'withdraw'),
    ...(pauseEnds && pauseEnds.getTime() > now ? [fact('paused', pauseEnds)] : []),
    ...(withdraw.enabled ? [] : [fact('withdrawals_off')]),
  ];
}

function accountFacts({ player, replacedMailbox }: StandingInput): StandingFact[] {
  return [
    ...(player.closingAt ? [fact('closing', player.closingAt)] : []),
    ...(replacedMailbox === null ? [] : [fact('mailbox_changed', null, replacedMailbox)]),
    ...(player.hasSecondFactor ? [fact('second_factor')] : []),
  ];
}

/** Separates the locks that keep the owner out from those that only stop guesses from other addresses. */
function lockFacts(input: StandingInput): Pick<PlayerStanding, 'because' | 'also'> {
  const { player, knownAddresses, locksAreShared } = input;
  if (!locksAreShared) return { because: [], also: [fact('locks_unseen')] };
  const locked = input.locks.filter((lock) => lock.locked);
  const whom = (...wanted: Array<SignInLock['whom']>) =>
    locked.filter((lock) => wanted.includes(lock.whom));
  const atHome = whom('known_address').map(({ until, address }) =>
    fact('locked_at', until, address),
  );
  const isLockedAtHome = knownAddresses.length > 0 && atHome.length >= knownAddresses.length;
  const others = whom('other_address', 'all_accounts');
  return {
    because: [
      ...whom('everybody').map(({ until }) => fact('locked', until)),
      ...(player.hasSecondFactor
        ? whom('second_step').map(({ until }) => fact('second_step_locked', until))
        : []),
      ...(isLockedAtHome ? atHome : []),
    ],
    also: [
      ...(isLockedAtHome ? [] : atHome),
      ...whom('new_addresses').map(({ until }) =>
        fact('only_known_addresses', until, String(knownAddresses.length)),
      ),
      ...(others.length > 0
        ? [fact('others_locked', null, String(new Set(others.map(({ address }) => address)).size))]
        : []),
    ],
  };
}
