import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { buildInfo } from '../config/build-info.js';
import { SchemaProblem } from './schema-state.js';

/** Limits the copies of the embedded database that are kept. */
export const KEPT_COPIES = 5;

const FOLDER = 'backups';
const COPY = /^gatehouse-\d{8}T\d{6}\.\d{3}Z-before-.+\.sqlite$/;

const logger = new Logger('Migrations');

/** Copies the embedded database before it is migrated. The copy does not include changes from open transactions. */
export async function copyDatabase(dataSource: DataSource, dataFolder: string) {
  const folder = join(dataFolder, FOLDER);
  const time = new Date().toISOString().replaceAll(/[-:]/g, '');
  const path = join(folder, `gatehouse-${time}-before-${buildInfo.version}.sqlite`);
  // The copy gets its final name last, so that nobody mistakes an interrupted copy for a complete one.
  const draft = join(folder, 'unfinished.sqlite');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    await dataSource.query(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
    writeToDisk(draft);
    renameSync(draft, path);
  } catch (error) {
    throw new SchemaProblem(
      `The database cannot be copied to ${folder} before it is migrated, so nothing was changed: ${(error as Error).message}`,
      { cause: error },
    );
  }
  logger.log(`copied the database to ${path} before migrating it`);
  return { delete: () => rmSync(path, { force: true }) };
}

/** Deletes all but the newest copies and logs each deletion. Other files in the folder stay. */
export function deleteOldCopies(dataFolder: string): void {
  const folder = join(dataFolder, FOLDER);
  const copies = existsSync(folder) ? readdirSync(folder).filter((name) => COPY.test(name)) : [];
  for (const name of copies.toSorted().slice(0, -KEPT_COPIES)) {
    const path = join(folder, name);
    try {
      rmSync(path);
      logger.log(`deleted ${path}, because only ${KEPT_COPIES} copies are kept`);
    } catch (error) {
      logger.warn(`cannot delete ${path}, an old copy: ${(error as Error).message}`);
    }
  }
}

function writeToDisk(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
