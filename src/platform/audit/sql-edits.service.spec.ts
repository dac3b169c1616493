import { Logger } from '@nestjs/common';
import { afterEach, expect, it, vi } from 'vitest';
import { SqlEditsService } from './sql-edits.service.js';

afterEach(() => vi.restoreAllMocks());

it('SqlEditsService records the remaining rows and tables after one fails', async () => {
  const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const recorded: number[] = [];
  const recorder = new SqlEditsService();
  recorder.register('lost', {
    findEdits: () => Promise.reject(new Error('no such table')),
    recordEdit: () => Promise.resolve(),
  });
  recorder.register('numbers', {
    findEdits: () => Promise.resolve([1, 2, 3]),
    recordEdit: async (edit) => {
      if (edit === 2) throw new Error('unreadable');
      recorded.push(edit);
    },
  });
  await recorder.recordAll();
  expect(recorded).toEqual([1, 3]);
  expect(warn.mock.calls).toEqual([
    ['cannot record changes of lost yet: no such table'],
    ['cannot record changes of numbers yet: unreadable'],
  ]);
});

it('SqlEditsService finds no edit twice when two runs overlap', async () => {
  let pending = ['a change'];
  const recorded: string[] = [];
  const recorder = new SqlEditsService();
  recorder.register('settings', {
    findEdits: async () => pending,
    recordEdit: async (edit) => {
      recorded.push(edit);
      pending = [];
    },
  });
  await Promise.all([recorder.recordAll(), recorder.recordAll()]);
  expect(recorded).toEqual(['a change']);
});
