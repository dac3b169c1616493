import { Injectable, Logger } from '@nestjs/common';

/** Watches data that changes outside this process, such as a table that operators edit with SQL. */
export interface AuditedTable<Edit> {
  findEdits(): Promise<Edit[]>;
  /** The event is added once, however many instances call this method. */
  recordEdit(edit: Edit): Promise<void>;
}

/** Records SQL edits as events by comparing each row with the row's last event. */
@Injectable()
export class SqlEditsService {
  private readonly logger = new Logger(SqlEditsService.name);
  private lastRun = Promise.resolve();
  private readonly tables = new Map<string, AuditedTable<unknown>>();

  register<Edit>(name: string, table: AuditedTable<Edit>): void {
    this.tables.set(name, table);
  }

  /** Runs after any run in progress, because two concurrent runs would record a change to the settings twice. */
  recordAll(): Promise<void> {
    return (this.lastRun = this.lastRun.then(() => this.recordEach()));
  }

  /** Continues with the remaining tables and rows if one cannot be read or recorded. */
  private async recordEach(): Promise<void> {
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
