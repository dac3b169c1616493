import { randomUUID } from 'node:crypto';
import { chownSync, closeSync, fchmodSync, fsyncSync, openSync } from 'node:fs';
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { Injectable, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { SETTINGS_APPLY, storable } from '../../../platform/audit/settings-history.js';
import { ConfigurationError } from '../../../platform/config/configuration-error.js';
import { Environment } from '../../../platform/config/environment.js';
import {
  readSettings,
  Settings,
  settingsChanges,
  settingsDigest,
} from '../../../platform/config/settings.js';
import { DEFAULT_SETTINGS } from '../../../platform/config/settings.schema.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { CommandFailed, type Report } from '../command.js';
import type { ActionOptions } from '../command-options.js';
import { confirm } from '../terminal.js';

/** Reports every mistake in a settings file or, if it has none, the settings that differ from the defaults. */
export function checkSettings(file: string): Report {
  try {
    const { values } = readSettings(file);
    const changes = settingsChanges(DEFAULT_SETTINGS, values).map(({ key, after }) => ({
      key,
      value: after,
    }));
    const lines = changes.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`);
    return { text: ['The file is valid.', ...lines].join('\n'), data: { problems: [], changes } };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { problems } = error;
    const lines = problems.map((problem) => `  - ${problem}`);
    const text = ['The service would refuse this file:', ...lines].join('\n');
    return { text, data: { problems }, ok: false };
  }
}

@Injectable()
export class SettingsCommand {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** Replaces the settings file with a checked copy of the given file, and records the operator. */
  async apply(file: string, given: ActionOptions): Promise<Report> {
    const checked = checkSettings(file);
    if (checked.ok === false) return checked;
    const { text, values } = readSettings(file);
    const target = realPath(this.environment.SETTINGS_FILE);
    const replaced = readFileSync(target, 'utf8');
    if (text === replaced)
      return { text: `${target} already has exactly this content.`, data: { changes: [] } };
    const changes = settingsChanges(this.settings.current, values);
    const lines = changes.map(
      ({ key, before, after }) => `  ${key}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    );
    const what = [`This replaces ${target}. It changes`, ...lines].join('\n');
    await confirm(lines.length > 0 ? what : `This replaces ${target}. No value changes.`, given);
    const before = Object.fromEntries(changes.map(({ key, before: was }) => [key, was]));
    const after = Object.fromEntries(changes.map(({ key, after: is }) => [key, is]));
    const action = {
      act: SETTINGS_APPLY,
      subject: `settings of ${hostname()}`.slice(0, 64),
      before: storable(before),
      after: { ...storable(after), sha256: settingsDigest(text) },
    };
    await inTransaction(this.dataSource, async (manager) => {
      await this.audit.write(manager, given, action);
      // The file is replaced before the commit, so that no record remains if the replacement fails.
      replaceFile(target, replaced, text);
    }).catch((error: Error) => {
      if (readFileSync(target, 'utf8') !== text) throw error;
      throw new CommandFailed(
        `${target} is replaced and in force, but the audit log may lack this change: ${error.message}`,
        { cause: error },
      );
    });
    return {
      text: [
        `${target} is replaced. Each instance that reads it applies it within 2 seconds.`,
        ...lines,
      ].join('\n'),
      data: { file: target, changes },
    };
  }
}

@Module({ providers: [SettingsCommand] })
export class SettingsCommandModule {}

/** Follows symbolic links, because replacing a link would leave the file itself unchanged. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    throw new CommandFailed(`the settings file cannot be found: ${(error as Error).message}`);
  }
}

/** Renames a complete copy over the file, so that no instance reads half of it. Owner and permissions stay the same. */
function replaceFile(target: string, expected: string, text: string): void {
  const current = readFileSync(target, 'utf8');
  // The transaction may have been retried after the file was replaced.
  if (current === text) return;
  if (current !== expected)
    throw new CommandFailed(`${target} was changed in the meantime: nothing was done, try again`);
  const { mode, uid, gid } = statSync(target);
  const copy = `${target}.${randomUUID()}`;
  try {
    const descriptor = openSync(copy, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      fchmodSync(descriptor, mode & 0o7777);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    const made = statSync(copy);
    if (made.uid !== uid || made.gid !== gid) chownSync(copy, uid, gid);
    renameSync(copy, target);
  } catch (error) {
    rmSync(copy, { force: true });
    throw new CommandFailed(
      `${target} cannot be replaced: ${(error as Error).message}; run this as a user who may write to the folder and set the file's owner`,
      { cause: error },
    );
  }
}
