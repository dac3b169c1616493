import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { flattenSettings, settingsChanges } from '../config/settings-changes.js';
import { Settings } from '../config/settings.js';
import { DEFAULT_SETTINGS } from '../config/settings.schema.js';
import { type AuditedAction, AuditLog } from './audit-log.js';
import type { AuditedTable } from './sql-edit-recorder.js';

const MAX_SUBJECT = 64;
// The column holds 64 KB, and a deny list may have thousands of entries.
const MAX_VALUE = 2000;

interface SettingsEdit {
  action: AuditedAction;
  since: Date;
}

/** Records since when this instance uses which settings, by comparing them with its last `audit_event`. */
@Injectable()
export class SettingsHistory implements AuditedTable<SettingsEdit>, BeforeApplicationShutdown {
  private readonly logger = new Logger(SettingsHistory.name);
  private readonly subject: string;
  /** False in a command, which is not an instance. */
  private isInUse = false;

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly audit: AuditLog,
    private readonly dataSource: DataSource,
  ) {
    this.subject = `settings of ${hostname()}:${environment.PORT}`.slice(0, MAX_SUBJECT);
  }

  /** Includes settings replaced since the last check: they may have granted access meanwhile. */
  async findEdits(): Promise<SettingsEdit[]> {
    this.isInUse = true;
    const { current, inForceSince, replaced } = this.settings;
    const [last] = await this.audit.findBySubject(this.subject, 1);
    let known = last?.after ?? storable(DEFAULT_SETTINGS);
    const edits: SettingsEdit[] = [];
    for (const { values, since } of [...replaced, { values: current, since: inForceSince }]) {
      const after = storable(values);
      const changes = settingsChanges(known, after);
      if (changes.length === 0) continue;
      const before = Object.fromEntries(changes.map(({ key, before: was }) => [key, was ?? null]));
      const action = { act: 'settings.change', subject: this.subject, before, after };
      edits.push({ action, since });
      known = after;
    }
    return edits;
  }

  async recordEdit({ action, since }: SettingsEdit): Promise<void> {
    const note = `${this.environment.SETTINGS_FILE}, in force on this instance since ${since.toISOString()}`;
    await this.audit.write(this.dataSource.manager, { by: 'settings', note }, action);
    this.settings.replaced = this.settings.replaced.filter((past) => past.since > since);
  }

  /** Otherwise a change that is reverted before the next start would only be in the log. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.isInUse) return;
    try {
      for (const edit of await this.findEdits()) await this.recordEdit(edit);
    } catch (error) {
      this.logger.warn(`cannot record the last settings: ${(error as Error).message}`);
    }
  }
}

function storable(values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flattenSettings(values)).map(([key, value]) => [key, shorten(value)]),
  );
}

function shorten(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined || text.length <= MAX_VALUE) return value;
  return `${text.length} characters, sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
