import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServersService } from '../../src/features/servers/servers.service.js';
import { GameServer } from '../../src/features/servers/game-server.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { addServer } from '../support/api/factories.js';
import { serverListRequests } from '../support/api/server-list.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterEach(() => service.database.getRepository(GameServer).clear());
afterAll(() => service.stop());

const { list, listed, expireSnapshot, expectListed } = serverListRequests(() => service);

describe('GET /api/server/list', () => {
  it('shows an SQL edit once the snapshot is a second old', async () => {
    const { id } = await addServer(service.database, { name: 'before' });
    await expectListed(['before']);
    const { takenAt } = service.app.get(ServersService)['snapshot']!;
    const clock = vi.spyOn(performance, 'now');
    await service.database.query(`UPDATE server SET name = 'after' WHERE id = ${id}`);
    clock.mockReturnValue(takenAt + 999);
    expect(await listed()).toEqual(['before']);
    // The sum is rounded, so exactly one second could measure as slightly less.
    clock.mockReturnValue(takenAt + 1001);
    expect(await listed()).toEqual(['after']);
    clock.mockRestore();
  });

  it('returns 304 for a matching ETag, and 200 once the list has changed', async () => {
    await addServer(service.database, { name: 'one' });
    await expectListed(['one']);
    const etag = (await list()).headers.get('etag')!;
    // Without max-age, fetch adds no-cache and so gets a full response.
    const have = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    const unchanged = await list(have);
    expect(unchanged.status).toBe(304);
    expect(unchanged.text).toBe('');
    await addServer(service.database, { name: 'two' });
    await expectListed(['one', 'two']);
    expect((await list(have)).status).toBe(200);
  });

  it('compresses a long list for clients that accept gzip', async () => {
    for (let number = 1; number <= 12; number++)
      await addServer(service.database, { name: `server ${number}`, sort: number });
    expireSnapshot();
    const [zipped, plain] = await Promise.all([
      list({ 'Accept-Encoding': 'gzip' }),
      list({ 'Accept-Encoding': 'gzip;q=0' }),
    ]);
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('vary')).toContain('Accept-Encoding');
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(plain.text.length / 3);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(zipped.text).toBe(plain.text);
    expect(zipped.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const have = {
      'If-None-Match': zipped.headers.get('etag')!,
      'Accept-Encoding': 'gzip',
      'Cache-Control': 'max-age=0',
    };
    expect((await list(have)).status).toBe(304);
  });

  it('omits an invalid row, logs it once per change, and serves the other rows', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    await addServer(service.database, { name: 'good' });
    const bad = await addServer(service.database, { name: 'bad', address: 'not a host' });
    await expectListed(['good']);
    const complaints = () =>
      error.mock.calls.filter(([message]) => /left out/.test(String(message)));
    expect(complaints()).toHaveLength(1);

    await service.database.query(`UPDATE server SET sort = 1 WHERE name = 'good'`);
    await expectListed(['good']);
    expect(complaints()).toHaveLength(1);

    await service.database.query(`UPDATE server SET address = 'user@other' WHERE id = ${bad.id}`);
    await service.database.query(`UPDATE server SET name = 'still good' WHERE name = 'good'`);
    await expectListed(['still good']);
    expect(complaints()).toHaveLength(1);

    await service.database.query(`UPDATE server SET address = 'a.example' WHERE id = ${bad.id}`);
    await expectListed(['bad', 'still good']);
    error.mockRestore();
  });

  it('reads the table once for many parallel requests', async () => {
    expireSnapshot();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const find = vi.spyOn(service.database.getRepository(GameServer), 'find');
    await Promise.all(Array.from({ length: 200 }, () => list()));
    // Other parts of the service query only ids.
    const lists = find.mock.calls.filter(([options]) => options?.order && 'sort' in options.order);
    expect(lists).toHaveLength(1);
    find.mockRestore();
    clock.mockRestore();
  });
});
