import { describe, expect, it } from 'vitest';
import { findDurabilityProblem } from './writability.js';

const problemOf = (variables: Record<string, string>) =>
  findDurabilityProblem(async () =>
    Object.entries(variables).map(([Variable_name, Value]) => ({ Variable_name, Value })),
  );

describe('findDurabilityProblem', () => {
  it.each(['0', '2'])('reports innodb_flush_log_at_trx_commit = %s', async (value) => {
    const variables = { innodb_flush_log_at_trx_commit: value, log_bin: 'OFF', sync_binlog: '0' };
    expect(await problemOf(variables)).toContain(`innodb_flush_log_at_trx_commit is ${value}, but`);
  });

  it('reports sync_binlog only if there is a binary log', async () => {
    const variables = { innodb_flush_log_at_trx_commit: '1', sync_binlog: '0' };
    expect(await problemOf({ ...variables, log_bin: 'ON' })).toContain('sync_binlog is 0');
    expect(await problemOf({ ...variables, log_bin: 'OFF' })).toBeUndefined();
  });

  it('reports nothing if every commit is flushed', async () => {
    const variables = { innodb_flush_log_at_trx_commit: '1', log_bin: 'ON', sync_binlog: '1' };
    expect(await problemOf(variables)).toBeUndefined();
  });
});
