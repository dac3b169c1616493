import { Injectable, Logger } from '@nestjs/common';

/** A table that staff edit by SQL, and whose changes are recorded as events. */
export interface AuditedTable<Edit> {
  /** Finds rows that differ from their last event. */
  findEdits(): Promise<Edit[]>;
  /** Appends the missing event, once however many instances call this. */
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
        this.logger.warn(`an SQL edit of ${name} could not be recorded: ${error.message}`);
        return undefined;
      };
      for (const edit of (await table.findEdits().catch(warn)) ?? [])
        await table.recordEdit(edit).catch(warn);
    }
  }
}
