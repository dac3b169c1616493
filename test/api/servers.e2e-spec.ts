import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { GameServer } from '../../src/features/servers/game-server.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { addServer } from '../support/api/factories.js';
import { until } from '../support/until.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterEach(() => service.database.getRepository(GameServer).clear());
afterAll(() => service.stop());

const list = (headers = {}) => service.client.get('/api/server/list', { headers });
const listed = async () =>
  ((await list()).body.data.servers as Array<{ name: string }>).map(({ name }) => name);

/** An edit shows after at most two seconds; the tests wait no longer than that. */
const settles = (names: string[]) =>
  until(async () => JSON.stringify(await listed()) === JSON.stringify(names), { within: 2000 });

describe('GET /api/server/list', () => {
  it('shows what a player needs of each server, and nothing of how it is run', async () => {
    const server = await addServer(service.database, {
      name: '龙谷 🐉',
      openAt: new Date('2026-12-01T10:00:00Z'),
      gmAddress: '10.0.0.1',
      dbHost: '10.0.0.2',
      group: '东部',
      recommended: true,
    });
    await settles(['龙谷 🐉']);
    const answer = await list();
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      code: 0,
      message: 'ok',
      data: {
        servers: [
          {
            id: server.id,
            name: '龙谷 🐉',
            address: 'server.example',
            port: 7000,
            status: 'normal',
            open_at: '2026-12-01T10:00:00.000Z',
            group: '东部',
            recommended: true,
          },
        ],
      },
    });
  });

  it('knows no group and recommends nothing unless the row says so, and refuses nonsense in it', async () => {
    const { id } = await addServer(service.database, { name: 'plain' });
    await settles(['plain']);
    expect((await list()).body.data.servers).toMatchObject([{ group: null, recommended: false }]);
    for (const nonsense of [
      "zone_group = ' '",
      `zone_group = '${'x'.repeat(33)}'`,
      'recommended = 2',
    ])
      await expect(
        service.database.query(`UPDATE server SET ${nonsense} WHERE id = ${id}`),
      ).rejects.toThrow();
  });

  it('is in the order of sort, then id, and leaves closed servers out', async () => {
    await addServer(service.database, { name: 'c', sort: 2 });
    await addServer(service.database, { name: 'a', sort: 1 });
    await addServer(service.database, { name: 'b', sort: 1 });
    await addServer(service.database, { name: 'closed', status: 'closed' });
    await addServer(service.database, { name: 'maintained', status: 'maintenance', sort: 9 });
    await settles(['a', 'b', 'c', 'maintained']);
  });

  it('follows an SQL edit within two seconds', async () => {
    const { id } = await addServer(service.database, { name: 'before' });
    await settles(['before']);
    await service.database.query(`UPDATE server SET name = 'after' WHERE id = ${id}`);
    await settles(['after']);
    await service.database.query(`UPDATE server SET status = 'closed' WHERE id = ${id}`);
    await settles([]);
  });

  it('answers 304 to a caller that has it already, and 200 once it changed', async () => {
    await addServer(service.database, { name: 'one' });
    await settles(['one']);
    const etag = (await list()).headers.get('etag')!;
    // fetch itself would add no-cache here, which asks for the whole answer.
    const have = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    const unchanged = await list(have);
    expect(unchanged.status).toBe(304);
    expect(unchanged.text).toBe('');
    await addServer(service.database, { name: 'two' });
    await settles(['one', 'two']);
    expect((await list(have)).status).toBe(200);
  });

  it('is compressed once it is long, for callers that can read it', async () => {
    for (let number = 1; number <= 12; number++)
      await addServer(service.database, { name: `server ${number}`, sort: number });
    await until(async () => (await listed()).length === 12, { within: 2000 });
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

  it('leaves out a row that makes no sense, says so once per change, and serves the others', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    await addServer(service.database, { name: 'good' });
    const bad = await addServer(service.database, { name: 'bad', address: 'not a host' });
    await settles(['good']);
    const complaints = () =>
      error.mock.calls.filter(([message]) => /left out/.test(String(message)));
    expect(complaints()).toHaveLength(1);

    await service.database.query(`UPDATE server SET sort = 1 WHERE name = 'good'`);
    await until(async () => (await list()).status === 200);
    expect(complaints()).toHaveLength(1);

    await service.database.query(`UPDATE server SET address = 'user@other' WHERE id = ${bad.id}`);
    await service.database.query(`UPDATE server SET name = 'still good' WHERE name = 'good'`);
    await settles(['still good']);
    expect(complaints()).toHaveLength(1);

    await service.database.query(`UPDATE server SET address = 'a.example' WHERE id = ${bad.id}`);
    await settles(['bad', 'still good']);
    error.mockRestore();
  });

  it('reads the table at most once a second, however many ask', async () => {
    const find = vi.spyOn(service.database.getRepository(GameServer), 'find');
    const started = performance.now();
    await Promise.all(Array.from({ length: 200 }, () => list()));
    const seconds = (performance.now() - started) / 1000;
    expect(find.mock.calls.length).toBeLessThanOrEqual(Math.floor(seconds) + 1);
    find.mockRestore();
  });
});
