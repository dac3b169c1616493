import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import Handlebars from 'handlebars';
import pLimit from 'p-limit';
import { CODE_ROOT } from '../config/build-info.js';
import { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';

const FRESH_MS = 1000;
// All e-mails share this limit, so that reads of a hanging mount do not occupy every thread.
const oneAtATime = pLimit(1);
const SHIPPED = join(CODE_ROOT, 'platform/mail/templates');

/** An e-mail shows a time to the minute, in the operators' time zone and in UTC. */
export type MailValues = Record<string, string | number | Date>;
type ShownValues = Record<string, string | number>;

export interface MailKind<Values extends MailValues = MailValues> {
  /** The e-mail and the folder of its templates have this name. */
  name: string;
  /** These values test the templates before an e-mail needs them. */
  sample: Values;
  /** Without these values, the text and the HTML would be useless. */
  requiredValues: string[];
  /** Marks an e-mail whose number its sender limits. All other e-mails count as warnings to an account's owner. */
  isRoutine?: true;
}

/** Renders the e-mails from templates that operators can override while the service runs. */
@Injectable()
export class MailTemplates {
  private readonly templates = new Map<string, ReloadingTemplate>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  register(kind: MailKind): void {
    const shown = { ...kind, sample: this.shown(kind.sample) };
    this.templates.set(kind.name, new ReloadingTemplate(shown, this.environment.mailTemplates));
  }

  async render({ name }: MailKind, values: MailValues): Promise<MailContent> {
    const template = this.templates.get(name);
    if (!template) throw new Error(`no feature has registered the mail "${name}"`);
    return template.render(this.shown(values));
  }

  /** Returns false if any e-mail falls back to the shipped templates. */
  async areValid(): Promise<boolean> {
    const valid = await Promise.all(Array.from(this.templates.values(), (each) => each.isValid()));
    return valid.every(Boolean);
  }

  /** Makes times readable. An e-mail is in both languages unless its values say otherwise. */
  private shown(values: MailValues): ShownValues {
    const { timezone } = this.settings.current;
    const texts = Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Date ? formatMailTime(value, timezone) : value,
    ]);
    return { zh: 1, en: 1, ...Object.fromEntries(texts) };
  }
}

export function formatMailTime(time: Date, timeZone: string): string {
  const utc = `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')!
    .value.replace('GMT', 'UTC');
  // Versions of Node write the offset of UTC itself in different ways.
  if (/^UTC(\+0)?$/.test(offset)) return utc;
  // Sweden writes dates as ISO 8601 does.
  const style = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
  return `${new Intl.DateTimeFormat('sv-SE', style).format(time)} ${offset} (${utc})`;
}

/** Lists the files of an e-mail. All e-mails share the site's name in `brand`, its logo, and `layout` for their HTML. */
const MAIL_FILES = {
  logo: () => 'logo.png',
  brand: () => 'brand.hbs',
  layout: () => 'layout.hbs',
  subject: (mail: string) => `${mail}/subject.hbs`,
  text: (mail: string) => `${mail}/text.hbs`,
  html: (mail: string) => `${mail}/html.hbs`,
};

type MailSources = Record<keyof typeof MAIL_FILES, string>;

interface MailContent {
  subject: string;
  text: string;
  html: string;
  attachments?: { filename: string; content: string; encoding: string; cid: string }[];
}

/** Compiles the templates of one e-mail. The constructor throws if they cannot be rendered. */
class MailTemplate {
  private readonly subject: HandlebarsTemplateDelegate;
  private readonly text: HandlebarsTemplateDelegate;
  private readonly html: HandlebarsTemplateDelegate;
  private readonly logo: string;

  constructor(
    private readonly kind: MailKind<ShownValues>,
    { logo, brand, layout, subject, text, html }: MailSources,
  ) {
    this.logo = logo;
    // With `strict`, a misspelt name causes an error rather than a gap in the e-mail.
    const handlebars = Handlebars.create();
    handlebars.registerPartial({ brand: brand.trim(), layout });
    handlebars.registerHelper({ say, label });
    this.subject = handlebars.compile(subject, { strict: true, noEscape: true });
    this.text = handlebars.compile(text, { strict: true, noEscape: true });
    this.html = handlebars.compile(html, { strict: true });
    // Handlebars parses a template on first use, so rendering the sample reports mistakes early.
    for (const language of LANGUAGES) this.render({ ...kind.sample, ...language });
  }

  render(values: ShownValues): MailContent {
    const subject = this.renderPart('subject', values).trim();
    if (/[\r\n]/.test(subject)) throw new Error('subject.hbs has more than one line');
    const [text, html] = [this.renderPart('text', values), this.renderPart('html', values)];
    for (const name of this.kind.requiredValues) {
      const value = String(values[name]);
      if (!text.includes(value)) throw new Error(`text.hbs does not show {{${name}}}`);
      if (!html.includes(Handlebars.escapeExpression(value)))
        throw new Error(`html.hbs does not show {{${name}}}`);
    }
    if (!html.includes('cid:logo')) return { subject, text, html };
    // Clients show an attached picture immediately, but ask before they load one from the site.
    const logo = { filename: 'logo.png', content: this.logo, encoding: 'base64', cid: 'logo' };
    return { subject, text, html, attachments: [logo] };
  }

  private renderPart(part: 'subject' | 'text' | 'html', values: ShownValues): string {
    let rendered: string;
    try {
      rendered = this[part](values);
    } catch (error) {
      // All lines but the first repeat the template.
      const [reason] = (error as Error).message.split('\n');
      throw new Error(`${part}.hbs: ${reason}`, { cause: error });
    }
    if (rendered.trim() === '') throw new Error(`${part}.hbs is empty`);
    return rendered;
  }
}

/** An e-mail is in both languages while the player's language is unknown. */
const LANGUAGES = [
  { zh: 1, en: 1 },
  { zh: 1, en: 0 },
  { zh: 0, en: 1 },
];

/** Joins the texts of the e-mail's languages, as in `{{say "时间" "Time"}}`. */
function say(this: ShownValues, zh: string, en: string, separator?: unknown): string {
  const texts = [...(this.zh ? [zh] : []), ...(this.en ? [en] : [])];
  return texts.join(typeof separator === 'string' ? separator : ' / ');
}

/** Adds a colon in the language's own punctuation. */
function label(this: ShownValues, zh: string, en: string): string {
  return this.en ? `${say.call(this, zh, en)}: ` : `${zh}：`;
}

interface Reading {
  readAt: number;
  /** The text of the overrides is kept, so that they are compiled again only when they change. */
  seen: string;
  /** This is absent if the shipped template is in use. */
  template?: MailTemplate;
  /** Says why the shipped template replaces the overrides. */
  problem?: string;
}

/**
 * Renders one e-mail from the shipped files. An operator's file of the same name overrides a shipped file, and is read at
 * most once per second.
 */
class ReloadingTemplate {
  private readonly logger = new Logger('MailTemplates');
  private readonly shippedSources: MailSources;
  private compiled?: MailTemplate;
  private last?: Reading;
  private reading?: Promise<Reading>;

  constructor(
    private readonly kind: MailKind<ShownValues>,
    private readonly folder: string,
  ) {
    const sources = sourcePaths(SHIPPED, kind).map(([part, path]) => [
      part,
      readFileSync(path, encodingOf(path)),
    ]);
    this.shippedSources = Object.fromEntries(sources) as MailSources;
  }

  /** This is compiled for the first e-mail, because compiling all templates would slow down the startup. */
  private get shipped(): MailTemplate {
    return (this.compiled ??= new MailTemplate(this.kind, this.shippedSources));
  }

  async render(values: ShownValues): Promise<MailContent> {
    const current = await this.current();
    try {
      if (current.template) return current.template.render(values);
    } catch {
      // The error itself is not logged, because it may quote a value such as a code.
      delete current.template;
      current.problem = 'they work with the sample values but fail with those of a real mail';
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
      await oneAtATime(() => readFile(path, encodingOf(path))).catch(ignoreMissing),
    ]);
    const found = (await Promise.all(reading)).filter(([, text]) => text !== undefined);
    return Object.fromEntries(found) as Partial<MailSources>;
  }

  private compile(overrides: Partial<MailSources> | Error): Pick<Reading, 'template' | 'problem'> {
    try {
      if (overrides instanceof Error) throw overrides;
      if (Object.keys(overrides).length === 0) return {};
      return { template: new MailTemplate(this.kind, { ...this.shippedSources, ...overrides }) };
    } catch (error) {
      return { problem: (error as Error).message };
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

function encodingOf(path: string): 'utf8' | 'base64' {
  return path.endsWith('.png') ? 'base64' : 'utf8';
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
