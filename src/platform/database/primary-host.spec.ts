import { beforeEach, describe, expect, it } from 'vitest';
import { HostHistory } from './primary-host.js';

const [db1, db2] = ['db1', 'db2'].map((host) => ({ host, port: 3306 })) as [
  { host: string; port: number },
  { host: string; port: number },
];
const OPEN = {};
const READ_ONLY = { problem: 'read_only is on', isReadOnly: true };
const DEAD = { problem: 'no answer' };

let history: HostHistory;
beforeEach(() => void (history = new HostHistory()));

/** Tells the history what one check found at db1 and db2. */
function see(first: object, second: object): void {
  history.note(
    new Map([
      [db1, first],
      [db2, second],
    ]),
  );
}

/** Simulates the loss of the primary db1 and the promotion of db2. */
function failOver(): void {
  see(OPEN, READ_ONLY);
  history.use(db1);
  see(DEAD, OPEN);
  history.use(db2);
}

describe('HostHistory', () => {
  it('allows the only writable host at startup', () => {
    see(DEAD, OPEN);
    expect(history.mayUse(db2)).toBe(true);
  });

  it('allows a promoted replica', () => {
    see(OPEN, READ_ONLY);
    history.use(db1);
    see(DEAD, OPEN);
    expect(history.mayUse(db2)).toBe(true);
  });

  it('does not allow an old primary that came back writable, even if no other host responds', () => {
    failOver();
    see(OPEN, DEAD);
    expect([history.mayUse(db1), history.mayUse(db2)]).toEqual([false, true]);
  });

  it('does not allow an old primary that came back writable, even if the new primary is demoted', () => {
    failOver();
    see(OPEN, READ_ONLY);
    expect(history.mayUse(db1)).toBe(false);
  });

  it('allows an old primary that came back read-only and was promoted', () => {
    failOver();
    see(READ_ONLY, OPEN);
    see(OPEN, DEAD);
    expect(history.mayUse(db1)).toBe(true);
  });

  it('allows the previous primary of a planned switch once it is promoted again', () => {
    see(OPEN, READ_ONLY);
    history.use(db1);
    see(READ_ONLY, OPEN);
    history.use(db2);
    see(OPEN, READ_ONLY);
    expect(history.mayUse(db1)).toBe(true);
  });

  it('allows neither of two writable hosts at startup until one was seen read-only', () => {
    see(OPEN, OPEN);
    expect([history.mayUse(db1), history.mayUse(db2)]).toEqual([false, false]);
    see(OPEN, DEAD);
    expect([history.mayUse(db1), history.mayUse(db2)]).toEqual([false, false]);
    see(READ_ONLY, DEAD);
    expect(history.mayUse(db2)).toBe(true);
  });

  it('does not allow a host that was down and came back writable', () => {
    see(OPEN, DEAD);
    history.use(db1);
    see(DEAD, OPEN);
    expect(history.mayUse(db2)).toBe(false);
  });

  it('does not allow an old primary still in use when the new primary pauses after both were writable', () => {
    see(OPEN, READ_ONLY);
    history.use(db1);
    see(OPEN, OPEN);
    see(OPEN, DEAD);
    expect(history.mayUse(db1)).toBe(false);
    see(READ_ONLY, OPEN);
    expect(history.mayUse(db2)).toBe(true);
  });

  it('does not allow an old primary in use when the new primary pauses, even if the old one was once promoted', () => {
    failOver();
    see(READ_ONLY, OPEN);
    see(OPEN, OPEN);
    see(OPEN, DEAD);
    expect(history.mayUse(db1)).toBe(true);
    see(DEAD, OPEN);
    expect(history.mayUse(db2)).toBe(false);
  });

  it('allows the promoted host in use once the old primary is down', () => {
    failOver();
    see(OPEN, OPEN);
    expect(history.mayUse(db2)).toBe(false);
    see(DEAD, OPEN);
    expect(history.mayUse(db2)).toBe(true);
  });

  it('allows the promoted host once the old primary, still in use, is down', () => {
    see(OPEN, READ_ONLY);
    history.use(db1);
    see(OPEN, OPEN);
    see(DEAD, OPEN);
    expect(history.mayUse(db2)).toBe(true);
  });

  it('does not allow an old primary that has not been read-only since it last accepted writes', () => {
    see(OPEN, READ_ONLY);
    history.use(db1);
    see(READ_ONLY, READ_ONLY);
    see(OPEN, READ_ONLY);
    see(DEAD, OPEN);
    history.use(db2);
    see(OPEN, DEAD);
    expect(history.mayUse(db1)).toBe(false);
  });
});
