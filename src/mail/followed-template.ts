import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { CODE_ROOT } from '../config/project-root.js';
import type { MailKind, MailValues } from './mail-kind.js';
import { MAIL_FILES, type MailContent, type MailSources, MailTemplate } from './mail-template.js';

const FRESH_MS = 1000;
const SHIPPED = join(CODE_ROOT, 'mail/templates');

interface Look {
  takenAt: number;
  /** What was read; the templates are tried again when it changes. */
  seen: string;
  template?: MailTemplate;
  problem?: string;
}

/** The templates of one mail as they stand on disk, read at most once a second, with the shipped ones to fall back on. */
export class FollowedTemplate {
  private readonly logger = new Logger('MailTemplates');
  private readonly shipped: MailTemplate;
  private last?: Look;
  private looking?: Promise<Look>;

  constructor(
    private readonly kind: MailKind,
    private readonly folder: string,
  ) {
    const sources = sourcePaths(SHIPPED, kind).map(([part, path]) => [
      part,
      readFileSync(path, 'utf8'),
    ]);
    this.shipped = new MailTemplate(kind, Object.fromEntries(sources) as MailSources);
  }

  async render(values: MailValues): Promise<MailContent> {
    const look = await this.look();
    try {
      if (look.template) return look.template.render(values);
    } catch {
      // Not the error itself: it may repeat a value, and with it what must not be in a log.
      look.template = undefined;
      look.problem = 'they pass with sample values and fail with those of a real mail';
      this.report(look);
    }
    return this.shipped.render(values);
  }

  async isInUse(): Promise<boolean> {
    return (await this.look()).template !== undefined;
  }

  private look(): Promise<Look> | Look {
    if (this.last && performance.now() - this.last.takenAt < FRESH_MS) return this.last;
    this.looking ??= this.read().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async read(): Promise<Look> {
    const takenAt = performance.now();
    const before = this.last;
    const { seen, sources } = await this.sources();
    if (before?.seen === seen) return (this.last = { ...before, takenAt });
    this.last = { takenAt, seen, ...this.tryOut(sources, seen) };
    if (this.last.problem !== undefined) this.report(this.last);
    else if (before?.problem !== undefined)
      this.logger.log(`the templates of the mail "${this.kind.name}" are in use again`);
    return this.last;
  }

  private async sources(): Promise<{ seen: string; sources?: MailSources }> {
    try {
      const reading = sourcePaths(this.folder, this.kind).map(async ([part, path]) => [
        part,
        await readFile(path, 'utf8'),
      ]);
      const sources = Object.fromEntries(await Promise.all(reading)) as MailSources;
      return { seen: JSON.stringify(sources), sources };
    } catch (error) {
      return { seen: (error as Error).message };
    }
  }

  private tryOut(
    sources: MailSources | undefined,
    problem: string,
  ): Pick<Look, 'template' | 'problem'> {
    if (!sources) return { problem };
    try {
      return { template: new MailTemplate(this.kind, sources) };
    } catch (error) {
      return { problem: (error as Error).message };
    }
  }

  private report({ problem }: Look): void {
    const { name } = this.kind;
    this.logger.error(
      `the mail "${name}" is sent with the shipped templates, because those in ${this.folder} are broken: ${problem}`,
    );
  }
}

function sourcePaths(folder: string, { name }: MailKind): [string, string][] {
  return Object.entries(MAIL_FILES).map(([part, file]) => [part, join(folder, file(name))]);
}
