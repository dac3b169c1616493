// Fewer refusals than this, by 5xx, are probably mailboxes that do not exist.
const MIN_FAILURES = 3;
const FAILING_ONE_IN = 10;

/** Mails of the last ten minutes. */
export interface MailDeliveries {
  taken: number;
  /** By the code of the mail server's refusal; `none`: it did not answer. */
  failed: Record<string, number>;
}

/** Such as "2 taken, 3 failed (451: 3)". */
export function describeDeliveries(deliveries: MailDeliveries): string {
  const replies = Object.entries(deliveries.failed).map(([reply, count]) =>
    reply === 'none' ? `no answer: ${count}` : `${reply}: ${count}`,
  );
  const { taken } = deliveries;
  const failed = countFailed(deliveries);
  return `${taken} taken, ${failed} failed${failed > 0 ? ` (${replies.join(', ')})` : ''}`;
}

/** Whether too many failed, or the mail server accepts none for now. */
export function areFailing(deliveries: MailDeliveries): boolean {
  const { taken } = deliveries;
  const failed = countFailed(deliveries);
  if (failed >= MIN_FAILURES) return failed * FAILING_ONE_IN >= taken + failed;
  return taken === 0 && Object.keys(deliveries.failed).some((reply) => !reply.startsWith('5'));
}

export function countFailed({ failed }: MailDeliveries): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0);
}

/** Of several instances. */
export function sumDeliveries(all: MailDeliveries[]): MailDeliveries {
  const failed: Record<string, number> = {};
  for (const [reply, count] of all.flatMap((one) => Object.entries(one.failed)))
    failed[reply] = (failed[reply] ?? 0) + count;
  return { taken: all.reduce((sum, { taken }) => sum + taken, 0), failed };
}
