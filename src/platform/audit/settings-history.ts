import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource, MoreThan } from 'typeorm';
import { Environment } from '../config/environment.js';
import { flattenSettings, settingsChanges, Settings } from '../config/settings.js';
import { DEFAULT_SETTINGS } from '../config/settings.schema.js';
import { type AuditedAction, AuditLog } from './audit-log.js';
import { AuditEvent } from './audit.entity.js';
import type { AuditedTable } from './sql-edits.service.js';

const MAX_SUBJECT = 64;
// The column holds only 64 KB, but a deny list may have thousands of entries.
const MAX_VALUE = 2000;
const MAX_APPLIED = 50;

/** Marks a settings file that `gatehouse settings apply` put in place. `after.sha256` identifies its text. */
export const SETTINGS_APPLY = 'settings.apply';

interface SettingsEdit {
  action: AuditedAction;
  since: Date;
  digest: string;
  /** This is false for the settings of the first start and for keys that a new version adds. */
  isEdit: boolean;
}

/** Records which settings this instance uses and since when, by comparing them with its last `audit_event`. */
@Injectable()
export class SettingsHistory implements AuditedTable<SettingsEdit>, BeforeApplicationShutdown {
  private readonly logger = new Logger(SettingsHistory.name);
  private readonly subject: string;
  /** This is true only for an instance of the service, not for a command. */
  private isInUse = false;
  /** Only commands with a higher `audit_event` id can still explain a change. */
  private explainedUpTo?: string;

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly audit: AuditLog,
    private readonly dataSource: DataSource,
  ) {
    this.subject = `settings of ${hostname()}:${environment.PORT}`.slice(0, MAX_SUBJECT);
  }

  /** Includes settings that were replaced since the last check, because they may have granted access in between. */
  async findEdits(): Promise<SettingsEdit[]> {
    this.isInUse = true;
    const { current, inForceSince, replaced, digest: currentDigest } = this.settings;
    const [last] = await this.audit.findBySubject(this.subject, 1);
    let recorded: object | null | undefined = last?.after;
    const edits: SettingsEdit[] = [];
    const inForce = { values: current, since: inForceSince, digest: currentDigest };
    for (const { values, since, digest } of [...replaced, inForce]) {
      const after = storable(values);
      const known = recorded ?? storable(DEFAULT_SETTINGS);
      const changes = settingsChanges(known, after);
      if (changes.length === 0) continue;
      const before = Object.fromEntries(changes.map(({ key, before: was }) => [key, was ?? null]));
      const action = { act: 'settings.change', subject: this.subject, before, after };
      const isEdit = Boolean(recorded) && changes.some(({ key }) => key in known);
      edits.push({ action, since, digest, isEdit });
      recorded = after;
    }
    return edits;
  }

  async recordEdit({ action, since, digest, isEdit }: SettingsEdit): Promise<void> {
    const file = `${this.environment.SETTINGS_FILE}, in force on this instance since ${since.toISOString()}`;
    const applied = await this.findApply(digest);
    const who = applied
      ? { by: applied.operator, note: `${applied.note} (gatehouse settings apply: ${file})` }
      : { by: 'settings', note: `${isEdit ? 'a direct edit of ' : ''}${file}` };
    await this.audit.write(this.dataSource.manager, who, action);
    if (applied) this.explainedUpTo = applied.id;
    this.settings.replaced = this.settings.replaced.filter((past) => past.since > since);
  }

  /**
   * Finds the command that put this text in place. A command explains only one change per instance, because an operator
   * may restore the same text later. A direct edit may be recorded after the command that followed it.
   */
  private async findApply(digest: string): Promise<AuditEvent | undefined> {
    this.explainedUpTo ??= (await this.audit.findBySubject(this.subject, 1))[0]?.id ?? '0';
    const commands = await this.dataSource.manager.find(AuditEvent, {
      where: { act: SETTINGS_APPLY, id: MoreThan(this.explainedUpTo) },
      order: { id: 'DESC' },
      take: MAX_APPLIED,
    });
    return commands.findLast(({ after }) => after && 'sha256' in after && after.sha256 === digest);
  }

  /** Records the last change, because an operator may revert it before the next startup. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.isInUse) return;
    try {
      for (const edit of await this.findEdits()) await this.recordEdit(edit);
    } catch (error) {
      this.logger.warn(`cannot record the last settings: ${(error as Error).message}`);
    }
  }
}

export function storable(values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flattenSettings(values)).map(([key, value]) => [key, shorten(value)]),
  );
}

function shorten(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined || text.length <= MAX_VALUE) return value;
  return `${text.length} characters, sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
