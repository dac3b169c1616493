import { describe, expect, it, vi } from 'vitest';
import { exportCsv } from './csv-export.js';

async function linesOf(pieces: AsyncIterable<string>): Promise<string[]> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text.split('\r\n').slice(0, -1);
}

describe('exportCsv', () => {
  it('exports every page', async () => {
    const at = new Date('2026-11-17T14:00:00.000Z');
    const pages = [
      { rows: [{ id: 2, at, name: '=1+1' }], next: 2 },
      { rows: [], next: 1 },
      { rows: [{ id: 0, at: null, name: '有' }], next: null },
    ];
    const read = vi.fn(async (_before?: number) => pages.shift()!);
    expect(await linesOf(exportCsv(['id', 'at', 'name'], read))).toEqual([
      '\uFEFFid,at,name',
      "2,2026-11-17T14:00:00.000Z,'=1+1",
      '0,,有',
    ]);
    expect(read.mock.calls).toEqual([[undefined], [2], [1]]);
  });

  it('yields nothing before it has read the first page, so that a failure can get an error response', async () => {
    const read = () => Promise.reject(new Error('no connection'));
    await expect(exportCsv(['id'], read).next()).rejects.toThrow('no connection');
  });

  it('exports only the column names if there are no rows', async () => {
    const read = async () => ({ rows: [], next: null });
    expect(await linesOf(exportCsv(['id'], read))).toEqual(['\uFEFFid']);
  });

  it('stops after 1000 pages and says so in the last line', async () => {
    const read = vi.fn(async () => ({ rows: [{ id: 1 }], next: 1 }));
    const lines = await linesOf(exportCsv(['id'], read));
    expect(read).toHaveBeenCalledTimes(1000);
    expect(lines).toHaveLength(1002);
    expect(lines.at(-1)).toBe('Not complete: stopped after 1000 rows. Narrow the filters.');
  });
});
