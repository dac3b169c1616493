import type { EntityManager } from 'typeorm';
import { NO_KEY } from './old-key.js';
import type { ImportTarget } from './import-target.js';

/** Old rows after one key, up to another, with their checksum when they were imported. */
export interface KeyRange {
  after: Buffer;
  upTo?: Buffer;
  checksum?: string;
}

interface StoredChunk {
  last: Uint8Array;
  after: Uint8Array;
  checksum: string;
}

/**
 * The old table as divided by this and earlier runs: imported chunks, and what is left between and after them. Chunks
 * are written in parallel, so a killed run may leave a gap. A table whose keys are names is one segment: only the old
 * database knows their order.
 */
export async function loadSegments(target: ImportTarget, numericKey: boolean): Promise<KeyRange[]> {
  if (!numericKey) return [{ after: NO_KEY }];
  const stored = await target.query<StoredChunk>(
    'SELECT last_key AS last, after_key AS after, checksum FROM import_chunk ORDER BY last_key',
  );
  const segments: KeyRange[] = [];
  let reached = NO_KEY;
  for (const { last, after, checksum } of stored.map(toChunk)) {
    if (!after.equals(reached)) segments.push({ after: reached, upTo: after });
    segments.push({ after, upTo: last, checksum });
    reached = last;
  }
  return [...segments, { after: reached }];
}

export async function storeChunk(
  manager: EntityManager,
  { after, upTo, checksum }: Required<KeyRange>,
): Promise<void> {
  const last = `x'${upTo.toString('hex')}'`;
  await manager.query(`DELETE FROM import_chunk WHERE last_key = ${last}`);
  await manager.query(
    `INSERT INTO import_chunk (last_key, after_key, checksum)
     VALUES (${last}, x'${after.toString('hex')}', '${checksum}')`,
  );
}

function toChunk({ last, after, checksum }: StoredChunk) {
  return { last: Buffer.from(last), after: Buffer.from(after), checksum };
}
