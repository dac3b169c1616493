import { Logger } from '@nestjs/common';
import { afterEach, expect, it, vi } from 'vitest';
import { SqlEditRecorder } from './sql-edit-recorder.js';

afterEach(() => vi.restoreAllMocks());

it('SqlEditRecorder records the other rows and tables when one fails', async () => {
  const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const recorded: number[] = [];
  const recorder = new SqlEditRecorder();
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
