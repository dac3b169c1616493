import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { CODE_ROOT } from '../config/project-root.js';
import type { MailKind, MailValues } from './mail-kind.js';
import { MAIL_FILES, type MailContent, type MailSources, MailTemplate } from './mail-template.js';

const FRESH_MS = 1000;
// Shared by all mails: reads of a hanging mount must not occupy every thread.
const oneAtATime = pLimit(1);
const SHIPPED = join(CODE_ROOT, 'platform/mail/templates');

interface Reading {
  readAt: number;
  /** The overrides as read, to compile them again only when they change. */
  seen: string;
  template: MailTemplate;
  /** Why the shipped template is used instead of the overrides. */
  problem?: string;
}

/** The shipped files of one mail, each overridden by the operator's file of the same name. Reads those at most once a second. */
export class ReloadingTemplate {
  private readonly logger = new Logger('MailTemplates');
  private readonly shippedSources: MailSources;
  private readonly shipped: MailTemplate;
  private last?: Reading;
  private reading?: Promise<Reading>;

  constructor(
    private readonly kind: MailKind,
    private readonly folder: string,
  ) {
    const sources = sourcePaths(SHIPPED, kind).map(([part, path]) => [
      part,
      readFileSync(path, 'utf8'),
    ]);
    this.shippedSources = Object.fromEntries(sources) as MailSources;
    this.shipped = new MailTemplate(kind, this.shippedSources);
  }

  async render(values: MailValues): Promise<MailContent> {
    const current = await this.current();
    try {
      if (current.template !== this.shipped) return current.template.render(values);
    } catch {
      // The error itself may quote a value, such as a code, that must not be logged.
      current.template = this.shipped;
      current.problem = 'they work with sample values and fail with those of a real mail';
      this.report(current);
    }
    return this.shipped.render(values);
  }

  async isValid(): Promise<boolean> {
    return (await this.current()).problem === undefined;
  }

  private current(): Promise<Reading> | Reading {
    if (this.last && performance.now() - this.last.readAt < FRESH_MS) return this.last;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<Reading> {
    const readAt = performance.now();
    const before = this.last;
    const overrides = await this.readOverrides().catch((error: Error) => error);
    const seen = overrides instanceof Error ? overrides.message : JSON.stringify(overrides);
    if (before?.seen === seen) return (this.last = { ...before, readAt });
    this.last = { readAt, seen, ...this.compile(overrides) };
    if (this.last.problem !== undefined) this.report(this.last);
    else if (before?.problem !== undefined)
      this.logger.log(`the templates of the mail "${this.kind.name}" are in use again`);
    return this.last;
  }

  private async readOverrides(): Promise<Partial<MailSources>> {
    const reading = sourcePaths(this.folder, this.kind).map(async ([part, path]) => [
      part,
      await oneAtATime(() => readFile(path, 'utf8')).catch(ignoreMissing),
    ]);
    const found = (await Promise.all(reading)).filter(([, text]) => text !== undefined);
    return Object.fromEntries(found) as Partial<MailSources>;
  }

  private compile(overrides: Partial<MailSources> | Error): Pick<Reading, 'template' | 'problem'> {
    try {
      if (overrides instanceof Error) throw overrides;
      if (Object.keys(overrides).length === 0) return { template: this.shipped };
      return { template: new MailTemplate(this.kind, { ...this.shippedSources, ...overrides }) };
    } catch (error) {
      return { template: this.shipped, problem: (error as Error).message };
    }
  }

  private report({ problem }: Reading): void {
    const { name } = this.kind;
    this.logger.error(
      `the mail "${name}" is sent with the shipped templates, because those in ${this.folder} are broken: ${problem}`,
    );
  }
}

function sourcePaths(folder: string, { name }: MailKind): [string, string][] {
  return Object.entries(MAIL_FILES).map(([part, file]) => [part, join(folder, file(name))]);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
