/**
 * Sends all requests at once. A pool that is exhausted on a busy machine answers 503 and does nothing; those requests
 * are sent again one by one, so that the sum of the answers does not depend on the speed of the machine.
 */
export async function inParallel<Answer extends { status: number }>(
  requests: Array<() => Promise<Answer>>,
): Promise<Answer[]> {
  const answers: Answer[] = await Promise.all(requests.map((send) => send()));
  for (const [index, { status }] of answers.entries())
    if (status === 503) answers[index] = await requests[index]!();
  return answers;
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
