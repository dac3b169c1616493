import { Injectable, Logger } from '@nestjs/common';

/** Something that changes outside of this process, such as a table that staff edit by SQL. */
export interface AuditedTable<Edit> {
  /** Finds what no event or log line records yet. */
  findEdits(): Promise<Edit[]>;
  /** Adds what is missing. An event is added once, however many instances call this. */
  recordEdit(edit: Edit): Promise<void>;
}

/** Records SQL edits as events by comparing each row with its last event. */
@Injectable()
export class SqlEditRecorder {
  private readonly logger = new Logger(SqlEditRecorder.name);
  private readonly tables = new Map<string, AuditedTable<unknown>>();

  register<Edit>(name: string, table: AuditedTable<Edit>): void {
    this.tables.set(name, table);
  }

  /** A table or row that cannot be read or recorded does not prevent the others from being recorded. */
  async recordAll(): Promise<void> {
    for (const [name, table] of this.tables) {
      const warn = (error: Error) => {
        this.logger.warn(`cannot record changes of ${name} yet: ${error.message}`);
        return undefined;
      };
      for (const edit of (await table.findEdits().catch(warn)) ?? [])
        await table.recordEdit(edit).catch(warn);
    }
  }
}
