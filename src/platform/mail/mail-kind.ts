export type MailValues = Record<string, string | number>;

/** A mail that a feature sends. */
export interface MailKind<Values extends MailValues = MailValues> {
  /** Name of its folder of templates. */
  name: string;
  /** Values to test the templates with before a mail needs them. */
  sample: Values;
  /** Values that text and HTML must show, or the mail is useless. */
  requiredValues: string[];
  /** Its feature limits it. Any other one is held back once its player got many. */
  isLimited?: true;
}
