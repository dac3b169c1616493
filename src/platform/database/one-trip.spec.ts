import { Logger } from '@nestjs/common';
import type { PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';
import { describe, expect, it, vi } from 'vitest';
import { isDatabaseUnavailable } from './database-errors.js';
import { inOneTrip } from './one-trip.js';
import { prepareSession } from './mysql-session.js';

type Done = (error: Error | null, result?: unknown) => void;

/** A connection to a MariaDB server that answers as told: on Galera, and a compound statement. */
async function connectTo(galera: unknown, outcome: unknown = [[{ done: 1, made: 7 }], {}]) {
  const compound = vi.fn();
  const answerTo = (sql: string) => {
    if (sql.includes('wsrep_on')) return galera;
    if (!sql.startsWith('BEGIN')) return [{ backslash: '\\' }];
    compound();
    return outcome;
  };
  const answer = (sql: string, ...rest: unknown[]) => {
    const told = answerTo(sql);
    const done = rest.at(-1) as Done;
    if (told instanceof Error) done(told);
    else done(null, told);
  };
  const connection = {
    _handshakePacket: { serverVersion: '11.8.2-MariaDB' },
    query: vi.fn(answer),
    execute: answer,
    release: vi.fn(),
    destroy: vi.fn(),
  };
  await prepareSession(connection as unknown as PoolConnection);
  const driver = { obtainMasterConnection: async () => connection };
  const dataSource = { options: { type: 'mariadb' }, driver } as unknown as DataSource;
  return { dataSource, connection, compound };
}

const steps = [{ sql: 'UPDATE player SET enter_count = 1', values: [] }];
const failure = (errno: number) => Object.assign(new Error(`error ${errno}`), { errno });
// As the driver gives a BIGINT.
const STANDS_ALONE = [{ galera: '0' }];

describe('Steps in one round trip', () => {
  it.each([
    ['done', [[{ done: 1, made: 7 }], {}], { made: 7 }],
    ['not done', [[{ done: 0, made: 0 }], {}], undefined],
  ])('are reported as %s when the server says so', async (_, outcome, told) => {
    const { dataSource, connection } = await connectTo(STANDS_ALONE, outcome);
    expect(await inOneTrip(dataSource, steps)).toEqual(told);
    expect(connection.destroy).not.toHaveBeenCalled();
  });

  it.each([
    ['keeps no more prepared statements', 1461],
    ['prepares no compound statement', 1295],
  ])('are not done if the server %s (%i)', async (_, errno) => {
    const { dataSource, connection } = await connectTo(STANDS_ALONE, failure(errno));
    expect(await inOneTrip(dataSource, steps)).toBeUndefined();
    expect(connection.query).not.toHaveBeenCalledWith('ROLLBACK', null, expect.anything());
  });

  it('are not done, and the connection is destroyed, if the server forgot the statement', async () => {
    const { dataSource, connection } = await connectTo(STANDS_ALONE, failure(1243));
    expect(await inOneTrip(dataSource, steps)).toBeUndefined();
    expect(connection.destroy).toHaveBeenCalled();
  });

  it('cause one warning a minute while the server does not support them', async () => {
    const { dataSource } = await connectTo(STANDS_ALONE, failure(1461));
    const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const now = vi.spyOn(performance, 'now');
    const later = performance.now() + 600_000;
    for (const [minute, lines] of [
      [0, 1],
      [0.9, 1],
      [1.1, 2],
    ] as const) {
      now.mockReturnValue(later + minute * 60_000);
      await inOneTrip(dataSource, steps);
      expect(warn).toHaveBeenCalledTimes(lines);
    }
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('error 1461'));
    for (const spy of [warn, now]) spy.mockRestore();
  });

  it('are rolled back when one fails', async () => {
    const { dataSource, connection } = await connectTo(STANDS_ALONE, failure(1062));
    await expect(inOneTrip(dataSource, steps)).rejects.toMatchObject({ errno: 1062 });
    expect(connection.query).toHaveBeenCalledWith('ROLLBACK', null, expect.anything());
  });

  it.each([
    ['a row without columns', [[{}], {}]],
    ['no row', [[], {}]],
    ['no result at all', { affectedRows: 4 }],
    ['other columns', [[{ done: null, made: 7 }], {}]],
    ['no id', [[{ done: 1 }], {}]],
  ])('have an unknown outcome if the server answers with %s', async (_, outcome) => {
    const { dataSource, connection } = await connectTo(STANDS_ALONE, outcome);
    await expect(inOneTrip(dataSource, steps)).rejects.toSatisfy(isDatabaseUnavailable);
    expect(connection.destroy).toHaveBeenCalled();
  });

  it.each([
    ['stands alone', STANDS_ALONE, 1],
    ['has never heard of Galera', failure(1193), 1],
    ['is a node of Galera', [{ galera: '1' }], 0],
    ['did not say', failure(1227), 0],
    ['said something else', [{}], 0],
  ])('to a server that %s (%j) are sent as %i compound statement', async (_, galera, sent) => {
    const { dataSource, compound } = await connectTo(galera);
    await inOneTrip(dataSource, steps);
    expect(compound).toHaveBeenCalledTimes(sent);
  });
});
