import type { EntityManager } from 'typeorm';
import { hexSql, NO_KEY } from './old-key.js';
import type { ImportTarget } from './import-target.js';

/** Old rows after one key, up to another, with their checksum when they were imported. */
export interface KeyRange {
  after: string;
  upTo?: string;
  checksum?: string;
}

/**
 * The old table as divided by this and earlier runs: imported chunks, and what is left between and after them. Chunks
 * are written in parallel, so a killed run may leave a gap. A table whose keys are names is one segment: only the old
 * database knows their order.
 */
export async function loadSegments(target: ImportTarget, numericKey: boolean): Promise<KeyRange[]> {
  if (!numericKey) return [{ after: NO_KEY }];
  const stored = await target.query<Required<KeyRange>>(
    `SELECT ${hexSql('last_key')} AS upTo, ${hexSql('after_key')} AS after, checksum
       FROM import_chunk ORDER BY last_key`,
  );
  const segments: KeyRange[] = [];
  let reached = NO_KEY;
  for (const chunk of stored) {
    if (chunk.after !== reached) segments.push({ after: reached, upTo: chunk.after });
    segments.push(chunk);
    reached = chunk.upTo;
  }
  return [...segments, { after: reached }];
}

export async function storeChunk(
  manager: EntityManager,
  { after, upTo, checksum }: Required<KeyRange>,
): Promise<void> {
  await manager.query(`DELETE FROM import_chunk WHERE last_key = x'${upTo}'`);
  await manager.query(
    `INSERT INTO import_chunk (last_key, after_key, checksum)
     VALUES (x'${upTo}', x'${after}', '${checksum}')`,
  );
}
