import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
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

/** Records since when this instance uses which settings, by comparing them with its last `audit_event`. */
@Injectable()
export class SettingsHistory implements AuditedTable<AuditedAction> {
  private readonly subject: string;

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly audit: AuditLog,
    private readonly dataSource: DataSource,
  ) {
    this.subject = `settings of ${hostname()}:${environment.PORT}`.slice(0, MAX_SUBJECT);
  }

  async findEdits(): Promise<AuditedAction[]> {
    const [last] = await this.audit.findBySubject(this.subject, 1);
    const after = storable(this.settings.current);
    const changes = settingsChanges(last?.after ?? storable(DEFAULT_SETTINGS), after);
    if (changes.length === 0) return [];
    const before = Object.fromEntries(changes.map((change) => [change.key, change.before ?? null]));
    return [{ act: 'settings.change', subject: this.subject, before, after }];
  }

  recordEdit(action: AuditedAction): Promise<void> {
    const since = this.settings.inForceSince.toISOString();
    const note = `${this.environment.SETTINGS_FILE}, in force on this instance since ${since}`;
    return this.audit.write(this.dataSource.manager, { by: 'settings', note }, action);
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
