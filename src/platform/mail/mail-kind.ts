export type MailValues = Record<string, string | number>;

/** A mail that a feature sends. */
export interface MailKind<Values extends MailValues = MailValues> {
  /** Name of its folder of templates. */
  name: string;
  /** Values to test the templates with before a mail needs them. */
  sample: Values;
  /** Values that text and HTML must show, or the mail is useless. */
  requiredValues: string[];
  /** A player can cause it without end, so each gets at most 30 an hour. The owner has been told by then. */
  isCapped?: true;
}
