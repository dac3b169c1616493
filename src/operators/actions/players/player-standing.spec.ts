import { describe, expect, it } from 'vitest';
import { Player } from '../../../platform/auth/player.entity.js';
import { findStanding, type StandingFactName } from './player-standing.js';
import type { SignInLock } from './sign-in-locks.js';

type Input = Parameters<typeof findStanding>[0];
interface Change extends Partial<Omit<Input, 'player'>> {
  player?: Partial<Player>;
}

const NOW = Date.parse('2026-11-18T12:00:00Z');
const LATER = new Date('2026-11-19T00:00:00Z');
const player = {
  closedAt: null,
  closingAt: null,
  disabledAt: null,
  email: 'owner@mail.example',
  withdrawPausedAt: null,
  hasSecondFactor: false,
};

const standingOf = ({ player: changed, ...more }: Change) =>
  findStanding({
    player: Object.assign(new Player(), player, changed),
    bans: [],
    hasPassword: true,
    hasOtherWayIn: false,
    isSignedIn: false,
    replacedMailbox: null,
    locks: [],
    locksAreShared: true,
    knownAddresses: ['192.0.2.1'],
    withdraw: { enabled: true, pause_hours: 24 },
    now: NOW,
    ...more,
  });

const ban = (scope: 'all' | 'withdraw', inForce = true) =>
  ({ scope, inForce, until: LATER, reason: 'botting' }) as Input['bans'][number];
const lock = (whom: SignInLock['whom'], address = '192.0.2.1'): SignInLock => ({
  scope: 'account',
  key: '#1',
  failures: 5,
  most: 5,
  locked: true,
  until: LATER,
  address,
  whom,
});

describe("A player's standing", () => {
  it.each<[string, Change, [boolean, boolean], StandingFactName[], StandingFactName[]]>([
    ['nothing special', {}, [true, true], [], []],
    ['a closed account', { player: { closedAt: LATER } }, [false, false], ['closed'], []],
    ['a closing account', { player: { closingAt: LATER } }, [true, true], [], ['closing']],
    ['a disabled account', { player: { disabledAt: LATER } }, [false, false], ['disabled'], []],
    ['a ban', { bans: [ban('all')], isSignedIn: true }, [false, false], ['banned'], []],
    ['a ban that is over', { bans: [ban('all', false)] }, [true, true], [], []],
    [
      'a ban from withdrawals',
      { bans: [ban('withdraw')] },
      [true, false],
      ['banned_from_withdrawals'],
      [],
    ],
    [
      'a pause of withdrawals',
      { player: { withdrawPausedAt: new Date(NOW - 3_600_000) } },
      [true, false],
      ['paused'],
      [],
    ],
    [
      'a pause of withdrawals beyond the latest possible date',
      {
        player: { withdrawPausedAt: new Date(NOW) },
        withdraw: { enabled: true, pause_hours: Number.MAX_SAFE_INTEGER },
      },
      [true, false],
      ['paused'],
      [],
    ],
    [
      'a pause of withdrawals that is over',
      { player: { withdrawPausedAt: new Date(NOW - 25 * 3_600_000) } },
      [true, true],
      [],
      [],
    ],
    [
      'withdrawals that are switched off',
      { withdraw: { enabled: false, pause_hours: 0 } },
      [true, false],
      ['withdrawals_off'],
      [],
    ],
    ['no password', { hasPassword: false }, [false, false], ['no_password'], []],
    [
      'no password and no mailbox',
      { hasPassword: false, player: { email: null } },
      [false, false],
      ['no_way_in'],
      [],
    ],
    [
      'no password but a linked identity',
      { hasPassword: false, hasOtherWayIn: true },
      [true, true],
      [],
      [],
    ],
    [
      'a new mailbox and a second factor',
      { replacedMailbox: 'owner@mail.example', player: { hasSecondFactor: true } },
      [true, true],
      [],
      ['mailbox_changed', 'second_factor'],
    ],
    ['a lock for everybody', { locks: [lock('everybody')] }, [false, false], ['locked'], []],
    [
      'a lock for everybody while the player is signed in',
      { locks: [lock('everybody')], isSignedIn: true },
      [false, true],
      ['locked'],
      [],
    ],
    [
      'a lock for new addresses',
      { locks: [lock('new_addresses')] },
      [true, true],
      [],
      ['only_known_addresses'],
    ],
    [
      "a lock at the player's only address",
      { locks: [lock('known_address')] },
      [false, false],
      ['locked_at'],
      [],
    ],
    [
      "a lock at one of the player's two addresses",
      { locks: [lock('known_address')], knownAddresses: ['192.0.2.1', '192.0.2.2'] },
      [true, true],
      [],
      ['locked_at'],
    ],
    [
      "locks at a stranger's address",
      { locks: [lock('other_address', '198.51.100.1'), lock('all_accounts', '198.51.100.1')] },
      [true, true],
      [],
      ['others_locked'],
    ],
    [
      'a locked second step of an account without a second factor',
      { locks: [lock('second_step')] },
      [true, true],
      [],
      [],
    ],
    [
      'a locked second step',
      { locks: [lock('second_step')], player: { hasSecondFactor: true } },
      [false, false],
      ['second_step_locked'],
      ['second_factor'],
    ],
    [
      'counts in the memory of each instance',
      { locksAreShared: false },
      [true, true],
      [],
      ['locks_unseen'],
    ],
  ])('with %s says what the player can do and why', (_, change, can, because, also) => {
    const found = standingOf(change);
    expect([found.canSignIn, found.canWithdraw]).toEqual(can);
    expect(found.because.map(({ name }) => name)).toEqual(because);
    expect(found.also.map(({ name }) => name)).toEqual(also);
  });

  it("names a ban's end and reason, and how many other addresses are locked", () => {
    expect(standingOf({ bans: [ban('all')] }).because).toEqual([
      { name: 'banned', at: LATER, detail: 'botting' },
    ]);
    const strangers = ['198.51.100.1', '198.51.100.2'];
    const locks = strangers.map((address) => lock('other_address', address));
    expect(standingOf({ locks }).also).toMatchObject([{ name: 'others_locked', detail: '2' }]);
  });
});
