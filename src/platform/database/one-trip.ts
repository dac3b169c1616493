import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import {
  cannotBePrepared,
  isUnknownPreparedStatement,
  UnreadableOutcome,
} from './database-errors.js';
import { mayBeGaleraNode } from './mysql-session.js';
import { type MysqlConnection, execute, isMysql, query, withConnection } from './statement.js';
import { retryConflicts } from './transaction.js';

const TELL_AGAIN_MS = 60_000;

const logger = new Logger('OneTrip');

/** A statement that must change a row, or a condition that must hold. */
export type Step = { values: unknown[] } & ({ sql: string } | { condition: string });

/** In the text of a step: the id that the first INSERT has made. */
export const MADE = 'trip_made';

/**
 * Runs the steps as one transaction in one round trip, and again after a conflict. Gives the id that was made; undefined
 * where a statement changed nothing or a condition did not hold, in which case nothing was done, and where the server
 * is not trusted with compound statements, prepares none or has forgotten this one. Throws where it cannot be told
 * whether they were done.
 */
export async function inOneTrip(
  dataSource: DataSource,
  steps: Step[],
): Promise<{ made: number } | undefined> {
  if (!isMysql(dataSource)) return undefined;
  return retryConflicts(() =>
    withConnection(dataSource, (connection) =>
      takesCompound(connection) ? run(connection, steps) : Promise.resolve(undefined),
    ),
  );
}

async function run(connection: MysqlConnection, steps: Step[]) {
  const row = await outcomeOf(connection, steps);
  if (row?.done === 0) return undefined;
  if (row?.done === 1 && Number.isInteger(row.made)) return { made: row.made };
  connection.destroy();
  throw new UnreadableOutcome();
}

const NOT_DONE: Row = { done: 0, made: 0 };

async function outcomeOf(connection: MysqlConnection, steps: Step[]): Promise<Row | undefined> {
  const values: unknown[] = [];
  for (const step of steps) values.push(...step.values);
  try {
    const answer = await execute(connection, toCompound(steps), values);
    return Array.isArray(answer) ? (answer as [Row[]?])[0]?.[0] : undefined;
  } catch (error) {
    // The driver would use a statement for ever that the server has forgotten.
    if (isUnknownPreparedStatement(error)) connection.destroy();
    if (isUnknownPreparedStatement(error) || cannotBePrepared(error)) {
      tellOfLongerWay(error as Error);
      return NOT_DONE;
    }
    // An error ends the compound statement where it is, and leaves its transaction open. Where this fails too, the
    // connection is given up, and the transaction with it.
    await query(connection, 'ROLLBACK', []).catch(() => undefined);
    throw error;
  }
}

let toldAt = -Infinity;

/** It only takes longer. Where the server keeps no more statements, somebody may raise `max_prepared_stmt_count`. */
function tellOfLongerWay({ message }: Error): void {
  if (performance.now() - toldAt < TELL_AGAIN_MS) return;
  toldAt = performance.now();
  logger.warn(`what goes as one statement takes several trips to the database instead: ${message}`);
}

interface Row {
  done: number;
  made: number;
}

/** There are few, and each is long: made once. */
const compounds = new Map<string, string>();

function toCompound(steps: Step[]): string {
  let key = '';
  for (const step of steps) key += 'sql' in step ? step.sql : step.condition;
  const known = compounds.get(key);
  if (known !== undefined) return known;
  const compound = makeCompound(steps);
  compounds.set(key, compound);
  return compound;
}

/**
 * Variables hide columns of their name, hence theirs. A condition is a SELECT of its own: InnoDB locks every row and gap
 * that an IF reads, and players who have nothing to do with each other would wait for each other.
 */
function makeCompound(steps: Step[]): string {
  const open = steps.map((step) =>
    'sql' in step
      ? `${step.sql}; IF ROW_COUNT() > 0 THEN ${isInsert(step.sql) ? KEEP_ID : ''}`
      : `SELECT ${step.condition} INTO trip_held; IF trip_held THEN`,
  );
  return `BEGIN NOT ATOMIC
    DECLARE trip_done, trip_held, trip_made INT DEFAULT 0;
    START TRANSACTION;
    ${open.join('\n')} SET trip_done = 1;
    ${'END IF; '.repeat(steps.length)}
    IF trip_done THEN COMMIT; ELSE ROLLBACK; END IF;
    SELECT trip_done AS done, trip_made AS made;
  END`;
}

const KEEP_ID = 'IF trip_made = 0 THEN SET trip_made = LAST_INSERT_ID(); END IF;';

function isInsert(sql: string): boolean {
  return /^\s*INSERT\b/i.test(sql);
}

/**
 * Only MariaDB knows compound statements. On Galera, where changes of other nodes collide with one, the server now and
 * then sends its row without the columns: committed, and nobody can read that it was.
 */
function takesCompound(connection: MysqlConnection): boolean {
  return isMariaDb(connection) && !mayBeGaleraNode(connection);
}

/** The driver's own view of the greeting: which of the two a connection leads to may change with a failover. */
function isMariaDb(connection: MysqlConnection): boolean {
  const { _handshakePacket: greeting } = connection as {
    _handshakePacket?: { serverVersion?: string };
  };
  return /mariadb/i.test(greeting?.serverVersion ?? '');
}
