import { describe, expect, it } from 'vitest';
import type { ServerRow } from '../api/answers';
import { changesIn, toForm } from './server-form';

const ROW: ServerRow = {
  id: 1,
  name: 'Dragon Valley',
  address: 's1.example.com',
  port: 7000,
  status: 'normal',
  sort: 0,
  open_at: '2026-11-15T10:30:00.000Z',
  merged_into: null,
  gm_address: null,
  gm_port: 8080,
  gm_path: '/gm',
  db_host: 'db1',
  db_port: 3306,
  zone_group: null,
  recommended: false,
};

describe('The server form', () => {
  it('omits unchanged fields from the request', () => {
    expect(changesIn(toForm(ROW), ROW)).toEqual({});
  });

  it('sends numbers as numbers, empty fields as null and invalid input as typed', () => {
    const form = { ...toForm(ROW), port: '7001', db_port: '', gm_port: '80x', recommended: true };
    expect(changesIn(form, ROW)).toEqual({
      port: 7001,
      db_port: null,
      gm_port: '80x',
      recommended: true,
    });
  });

  it('sends the filled-in fields of a new server', () => {
    expect(
      changesIn({ ...toForm(null), name: 'New', address: 'a.example', port: '7' }, null),
    ).toEqual({
      name: 'New',
      address: 'a.example',
      port: 7,
      status: 'maintenance',
      gm_port: 8080,
      gm_path: '/gm',
      recommended: false,
    });
  });

  it('keeps an opening time unchanged when the date field shows it', () => {
    const form = { ...toForm(null), open_at: toForm(ROW).open_at };
    expect(changesIn(form, null).open_at).toBe('2026-11-15T10:30:00.000Z');
  });
});
