import Handlebars from 'handlebars';
import type { MailKind, MailValues } from './mail-kind.js';

/** The files that make up a mail. `layout` frames the HTML of every mail, the others belong to one. */
export const MAIL_FILES = {
  layout: () => 'layout.hbs',
  subject: (mail: string) => `${mail}/subject.hbs`,
  text: (mail: string) => `${mail}/text.hbs`,
  html: (mail: string) => `${mail}/html.hbs`,
};

export type MailSources = Record<keyof typeof MAIL_FILES, string>;

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** The templates of one mail. Throws on construction when they cannot be rendered. */
export class MailTemplate {
  private readonly subject: HandlebarsTemplateDelegate;
  private readonly text: HandlebarsTemplateDelegate;
  private readonly html: HandlebarsTemplateDelegate;

  constructor(
    private readonly kind: MailKind,
    { layout, subject, text, html }: MailSources,
  ) {
    // Strict: a misspelt name is an error rather than a gap in the mail.
    const handlebars = Handlebars.create();
    handlebars.registerPartial('layout', layout);
    this.subject = handlebars.compile(subject, { strict: true, noEscape: true });
    this.text = handlebars.compile(text, { strict: true, noEscape: true });
    this.html = handlebars.compile(html, { strict: true });
    // Handlebars parses on first use.
    this.render(kind.sample);
  }

  render(values: MailValues): MailContent {
    const subject = this.renderPart('subject', values).trim();
    if (/[\r\n]/.test(subject)) throw new Error('subject.hbs has more than one line');
    const [text, html] = [this.renderPart('text', values), this.renderPart('html', values)];
    for (const name of this.kind.requiredValues) {
      const value = String(values[name]);
      if (!text.includes(value)) throw new Error(`text.hbs does not show {{${name}}}`);
      if (!html.includes(Handlebars.escapeExpression(value)))
        throw new Error(`html.hbs does not show {{${name}}}`);
    }
    return { subject, text, html };
  }

  private renderPart(part: keyof MailContent, values: MailValues): string {
    let rendered: string;
    try {
      rendered = this[part](values);
    } catch (error) {
      // The lines after the first repeat the template.
      const [reason] = (error as Error).message.split('\n');
      throw new Error(`${part}.hbs: ${reason}`, { cause: error });
    }
    if (rendered.trim() === '') throw new Error(`${part}.hbs is empty`);
    return rendered;
  }
}
