import { describe, expect, it } from 'vitest';
import { extractConnectId, extractName } from './forum.strategy.js';

describe('The forum identity', () => {
  it.each<[unknown, string, string]>([
    [{ id: '10293' }, 'id', '10293'],
    [{ id: 10293 }, 'id', '10293'],
    [{ sub: 'auth0|507f1f77' }, 'sub', 'auth0|507f1f77'],
    [{ user: { id: 7 } }, 'user.id', '7'],
    [{ data: { type: 'users', id: '7' } }, 'data.id', '7'],
    [{ data: [{ uid: '7' }] }, 'data.0.uid', '7'],
    [{ 'https://forum.example/uid': 'x' }, 'https://forum.example/uid', 'x'],
    [{ 'user.id': 'whole', user: { id: 'path' } }, 'user.id', 'whole'],
  ])('of user info %j at the path %s is %s', (userInfo, field, connectId) => {
    expect(extractConnectId(userInfo, field)).toBe(connectId);
  });

  it.each<[unknown, string]>([
    [{}, 'id'],
    [{ id: null }, 'id'],
    [{ id: '' }, 'id'],
    [{ id: ' ' }, 'id'],
    [{ id: '7 ' }, 'id'],
    [{ id: 'a\0b' }, 'id'],
    [{ id: '\ud800' }, 'id'],
    [{ id: 0 }, 'id'],
    [{ id: '0' }, 'id'],
    [{ id: -1 }, 'id'],
    [{ id: 1.5 }, 'id'],
    [{ id: 2 ** 53 }, 'id'],
    [{ id: true }, 'id'],
    [{ id: ['7'] }, 'id'],
    [{ id: { value: 7 } }, 'id'],
    [{ user: 'x' }, 'user.id'],
    [{ user: 'x' }, 'user.length'],
    [{}, 'constructor.name'],
    [{}, '__proto__'],
    [undefined, 'id'],
    [null, 'id'],
    ['text', 'length'],
    [[], 'length'],
    [7, 'id'],
  ])('is missing from user info %j at the path %s', (userInfo, field) => {
    expect(extractConnectId(userInfo, field)).toBeUndefined();
  });

  it('is rejected if it has more than 128 characters', () => {
    expect(extractConnectId({ id: '龙'.repeat(128) }, 'id')).toBe('龙'.repeat(128));
    expect(extractConnectId({ id: 'x'.repeat(129) }, 'id')).toBeUndefined();
  });
});

describe("A player's forum name", () => {
  it.each([
    [{ id: 7, username: 'Moon' }, 'Moon'],
    [{ id: 7, username: '', name: '月下' }, '月下'],
    [{ id: 7, name: 'x'.repeat(50) }, 'x'.repeat(40)],
    [{ id: 7, name: 12 }, undefined],
    [{ id: 7 }, undefined],
    [null, undefined],
  ])('is read from %j as %s', (userInfo, name) => {
    expect(extractName(userInfo, 'id')).toBe(name);
    expect(extractName({ user: userInfo }, 'user.id')).toBe(name);
  });
});
